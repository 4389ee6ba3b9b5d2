// The test explorer: each file of scenarios, each scenario in it, and running them through the server.
"use strict";

const HEAD = /^scenario[ \t]+"([^"\n]*)"/;

/**
 * The scenarios of a text, with the line of each from 0.
 *
 * @param {string} text
 * @returns {{ name: string, line: number }[]}
 */
function scenarios(text) {
    const found = [];
    text.split(/\r?\n/).forEach((content, line) => {
        const match = HEAD.exec(content);
        if (match) {
            found.push({ name: match[1], line });
        }
    });
    return found;
}

/**
 * A controller that lists the scenarios of the workspace and runs them.
 *
 * @param {typeof import("vscode")} vscode
 * @param {(uri: string, names: string[] | undefined) => Promise<object[]>} run  runs scenarios of a file
 */
function testController(vscode, run) {
    const controller = vscode.tests.createTestController("cardgame", "cardgame scenarios");

    function update(uri, text) {
        const known = controller.items.get(uri.toString());
        const file = known || controller.createTestItem(uri.toString(), vscode.workspace.asRelativePath(uri), uri);
        file.children.replace(scenarios(text).map(({ name, line }) => {
            const item = controller.createTestItem(`${uri} ${name}`, name, uri);
            item.range = new vscode.Range(line, 0, line, 0);
            return item;
        }));
        controller.items.add(file);
    }

    async function discover() {
        for (const uri of await vscode.workspace.findFiles("**/*.scenarios", "**/node_modules/**")) {
            update(uri, Buffer.from(await vscode.workspace.fs.readFile(uri)).toString("utf8"));
        }
    }

    async function runFile(testRun, file, items) {
        const whole = items.length === file.children.size;
        items.forEach(item => testRun.started(item));
        let results;
        try {
            results = await run(file.uri.toString(), whole ? undefined : items.map(item => item.label));
        } catch (error) {
            const message = new vscode.TestMessage(String(error.message || error));
            items.forEach(item => testRun.errored(item, message));
            return;
        }
        const byName = new Map(results.map(result => [result.name, result]));
        for (const item of items) {
            const result = byName.get(item.label);
            if (!result) {
                testRun.skipped(item);
            } else if (result.passed) {
                testRun.passed(item);
            } else {
                const message = new vscode.TestMessage(result.message);
                message.location = new vscode.Location(file.uri, new vscode.Position(result.failedAt, 0));
                testRun.failed(item, message);
            }
        }
    }

    controller.resolveHandler = item => (item ? undefined : discover());
    controller.createRunProfile("Run", vscode.TestRunProfileKind.Run, async (request, token) => {
        const testRun = controller.createTestRun(request);
        const wanted = new Map();
        const excluded = new Set((request.exclude || []).map(item => item.id));
        const roots = request.include || [...controller.items].map(([, item]) => item);
        for (const root of roots) {
            const file = root.parent || root;
            const items = root.parent ? [root] : [...root.children].map(([, item]) => item);
            wanted.set(file, [...(wanted.get(file) || []), ...items.filter(item => !excluded.has(item.id))]);
        }
        for (const [file, items] of wanted) {
            if (token.isCancellationRequested) {
                break;
            }
            await runFile(testRun, file, items);
        }
        testRun.end();
    }, true);

    const watcher = vscode.workspace.createFileSystemWatcher("**/*.scenarios");
    watcher.onDidCreate(discover);
    watcher.onDidDelete(uri => controller.items.delete(uri.toString()));
    function updateOpen(document) {
        if (document.languageId === "cardgame-scenarios") {
            update(document.uri, document.getText());
        }
    }

    const opened = vscode.workspace.onDidOpenTextDocument(updateOpen);
    const changes = vscode.workspace.onDidChangeTextDocument(({ document }) => updateOpen(document));
    vscode.workspace.textDocuments.forEach(updateOpen);
    void discover();
    return vscode.Disposable.from(controller, watcher, opened, changes);
}

module.exports = { scenarios, testController };
