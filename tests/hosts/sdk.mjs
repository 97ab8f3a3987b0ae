// What a host on the TypeScript SDK sees: each answer is accepted, and an error reaches the model as its text.

import assert from "node:assert/strict";

import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";

const [program, root, url] = process.argv.slice(2);
const over = (...more) =>
    new StdioClientTransport({ command: program, args: ["mcp", "--no-bundle", "--root", root, ...more] });

async function talk(how, transport, data) {
    const client = new Client({ name: "hosts", version: "1.0.0" });
    await client.connect(transport);
    const tools = (await client.listTools()).tools.map((tool) => tool.name);
    assert.deepEqual(tools, ["list_skills", "search_skills", "load_skill", "read_skill_resource"]);
    for (const [name, args, begins] of [
        ["list_skills", {}, "Available skills (1):\n- zebra: "],
        ["search_skills", { query: "stripes" }, "Skills matching 'stripes' (1):\n- zebra: "],
        ["load_skill", { skill_name: "zebra" }, "Skill: zebra\nPath: "],
        ["read_skill_resource", { skill_name: "zebra", file_path: "references/colours.md" }, "Skill file: "],
    ]) {
        const result = await client.callTool({ name, arguments: args });
        assert.ok(!result.isError && result.content[0].text.startsWith(begins), `${how} ${JSON.stringify(result)}`);
        assert.equal(result.structuredContent !== undefined, data, how);
    }
    // The client would throw if it took this for a violation of a schema.
    const failed = await client.callTool({ name: "load_skill", arguments: { skill_name: "zebar" } });
    assert.equal(failed.isError, true);
    assert.equal(
        failed.content[0].text,
        "Error: skill not found: 'zebar'. Try list_skills or search_skills. Did you mean 'zebra'?",
    );
    await assert.rejects(client.callTool({ name: "rm", arguments: {} }), { code: -32602 });

    assert.equal((await client.listPrompts()).prompts[0].name, "zebra");
    const prompt = await client.getPrompt({ name: "zebra", arguments: { arguments: "five" } });
    assert.ok(prompt.messages[0].content.text.includes("Count them."));
    const { resourceTemplates } = await client.listResourceTemplates();
    const ref = { type: "ref/resource", uri: resourceTemplates[0].uriTemplate };
    const names = await client.complete({ ref, argument: { name: "skill_name", value: "z" } });
    assert.deepEqual(names.completion.values, ["zebra"]);
    const read = await client.readResource({ uri: "skill://zebra/references/colours.md" });
    assert.equal(read.contents[0].text, "Black and white.\n");
    await client.close();
    console.log(`the TypeScript SDK ${how}: tools, prompts, resources and completion`);
}

await talk("on stdio", over(), false);
await talk("on stdio with data", over("--structured"), true);
await talk("over HTTP", new StreamableHTTPClientTransport(new URL(url)), false);
