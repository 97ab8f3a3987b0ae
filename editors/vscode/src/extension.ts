// Starts `skills lsp` and connects VS Code to it. Everything else is done by the server.

import { commands, window, workspace, ExtensionContext } from "vscode";
import { LanguageClient } from "vscode-languageclient/node";

let client: LanguageClient | undefined;

export async function activate(context: ExtensionContext): Promise<void> {
  context.subscriptions.push(commands.registerCommand("skills.restart", restart));
  context.subscriptions.push(
    workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration("skills.path")) {
        void restart();
      }
    }),
  );
  await start();
}

export async function deactivate(): Promise<void> {
  await stop();
}

async function restart(): Promise<void> {
  await stop();
  await start();
}

async function stop(): Promise<void> {
  const running = client;
  client = undefined;
  await running?.dispose();
}

async function start(): Promise<void> {
  const command = workspace.getConfiguration("skills").get<string>("path") || "skills";
  // VS Code's own language of a SKILL.md is `skill`, unless `files.associations` says otherwise: go by the names.
  const documentSelector = ["**/SKILL.md", "**/*.command.yaml", "**/Cargo.toml"].map((pattern) => ({
    scheme: "file",
    pattern,
  }));
  client = new LanguageClient("skills", "Agent Skills", { command, args: ["lsp"] }, { documentSelector });
  try {
    await client.start();
  } catch (error) {
    client = undefined;
    void window.showErrorMessage(
      `\`${command} lsp\` does not run: ${error}. Install the program \`skills\`, or set \`skills.path\`.`,
    );
  }
}
