// Judges the results of the conformance suite: each check passes, or is in the list of those that don't apply.

import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";

const [results, list, known] = process.argv.slice(2);

const exempt = new Map();
for (const line of readFileSync(list, "utf8").split("\n")) {
    if (!line || line.startsWith("#")) continue;
    const [scenario, check, reason] = line.split("\t");
    if (!reason) throw new Error(`a line needs a scenario, a check and a reason: ${line}`);
    exempt.set(`${scenario}\t${check}`, { reason, used: false });
}

const problems = [];
const scenarios = new Set();
let passed = 0;
let failed = 0;
for (const run of readdirSync(results)) {
    for (const dir of readdirSync(join(results, run))) {
        const scenario = dir.replace(/^server-/, "").replace(/-\d{4}-\d\d-\d\dT.*$/, "");
        scenarios.add(scenario);
        for (const check of JSON.parse(readFileSync(join(results, run, dir, "checks.json"), "utf8"))) {
            if (check.status === "SUCCESS") passed += 1;
            if (check.status !== "FAILURE") continue;
            failed += 1;
            // What we send must always have the form of the protocol.
            const all = check.id === "wire-schema-valid" ? undefined : exempt.get(`${scenario}\t*`);
            const row = exempt.get(`${scenario}\t${check.id}`) ?? all;
            if (row) row.used = true;
            else problems.push(`${run}: ${scenario}: ${check.id} failed: ${check.errorMessage}`);
        }
    }
}
// Every scenario of the suite has run, or the list says why not.
const names = [...readFileSync(known, "utf8").matchAll(/^ +- (\S+)/gm)].map((match) => match[1]);
if (names.length === 0) problems.push("the suite lists no scenarios");
for (const name of names.filter((name) => !scenarios.has(name))) {
    const row = exempt.get(`${name}\t*`);
    if (row) row.used = true;
    else problems.push(`the scenario ${name} did not run`);
}
for (const [key, { used }] of exempt) {
    if (!used) problems.push(`not-applicable.tsv: ${key.replace("\t", ": ")} passes now, or does not exist`);
}
if (problems.length > 0) {
    console.error(problems.join("\n"));
    process.exit(1);
}
console.log(`conformance: ${scenarios.size} scenarios, ${passed} checks passed, ${failed} do not apply`);
