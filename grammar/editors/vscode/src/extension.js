// The extension: starts the language server, and adds what only an editor can do.
"use strict";

const { execFile } = require("node:child_process");
const fs = require("node:fs");
const os = require("node:os");
const vscode = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

const { advice, candidates, choose } = require("./finder");
const { previews } = require("./rulebook");
const { testController } = require("./scenarios");

const LANGUAGES = ["cardgame", "cardgame-scenarios"];
const CLIENT_COMMANDS = ["cardgame.play", "cardgame.previewRulebook", "cardgame.references"];
const CHECK_TIME = 60_000;

let client;
let program;
let output;

async function selectedInterpreter() {
    const python = vscode.extensions.getExtension("ms-python.python");
    if (!python) {
        return undefined;
    }
    const api = await python.activate();
    return api?.environments?.getActiveEnvironmentPath?.(vscode.workspace.workspaceFolders?.[0]?.uri)?.path;
}

function check(path) {
    return new Promise(resolve => {
        execFile(path, ["lsp", "--check"], { timeout: CHECK_TIME }, (error, out, err) => {
            resolve({ code: error ? (typeof error.code === "number" ? error.code : null) : 0, output: `${err}${out}` });
        });
    });
}

async function find() {
    const trusted = vscode.workspace.isTrusted;
    return choose(candidates({
        configured: vscode.workspace.getConfiguration("cardgame").get("path", ""),
        interpreter: trusted ? await selectedInterpreter() : undefined,
        folders: trusted ? (vscode.workspace.workspaceFolders || []).map(folder => folder.uri.fsPath) : [],
        env: process.env,
        home: os.homedir(),
        platform: process.platform,
    }), fs.existsSync, check);
}

async function start() {
    const choice = await find();
    if (choice.problem) {
        program = undefined;
        output.appendLine(advice(choice));
        const answer = await vscode.window.showWarningMessage(advice(choice), "Try Again", "Open Settings");
        if (answer === "Try Again") {
            await restart();
        } else if (answer === "Open Settings") {
            await vscode.commands.executeCommand("workbench.action.openSettings", "cardgame.path");
        }
        return;
    }
    program = choice.path;
    output.appendLine(`language server: ${choice.path} (${choice.origin})`);
    const server = { command: choice.path, args: ["lsp"] };
    client = new LanguageClient("cardgame", "cardgame", server, {
        documentSelector: LANGUAGES.flatMap(language => [
            { scheme: "file", language },
            { scheme: "untitled", language },
        ]),
        initializationOptions: { commands: CLIENT_COMMANDS },
        outputChannel: output,
    });
    await client.start();
}

async function restart() {
    await stop();
    await start();
}

async function stop() {
    const old = client;
    client = undefined;
    await old?.dispose();
}

async function execute(command, ...args) {
    if (!client) {
        throw new Error("the language server is not running");
    }
    return client.sendRequest("workspace/executeCommand", { command, arguments: args });
}

function uriOf(given) {
    if (given instanceof vscode.Uri) {
        return given;
    }
    return typeof given === "string" ? vscode.Uri.parse(given) : vscode.window.activeTextEditor?.document.uri;
}

async function play(given) {
    const uri = uriOf(given);
    if (!uri || !program) {
        return;
    }
    const document = vscode.workspace.textDocuments.find(one => one.uri.toString() === uri.toString());
    if (document?.isDirty && !(await document.save())) {
        return;
    }
    // The program itself is the shell, so that no other shell reads the name of the file.
    vscode.window.createTerminal({ name: "Play", shellPath: program, shellArgs: ["play", uri.fsPath] }).show();
}

async function references(given, position) {
    const uri = uriOf(given);
    const at = new vscode.Position(position.line, position.character);
    const found = await vscode.commands.executeCommand("vscode.executeReferenceProvider", uri, at);
    await vscode.commands.executeCommand("editor.action.showReferences", uri, at, found);
}

async function activate(context) {
    output = vscode.window.createOutputChannel("cardgame", { log: true });
    const { preview, changes } = previews(vscode, uri => execute("cardgame.rulebook", uri, "html"));
    context.subscriptions.push(
        output,
        changes,
        vscode.commands.registerCommand("cardgame.play", play),
        vscode.commands.registerCommand("cardgame.references", references),
        vscode.commands.registerCommand("cardgame.previewRulebook", given => {
            const uri = uriOf(given);
            return uri && preview(uri);
        }),
        vscode.commands.registerCommand("cardgame.restart", restart),
        vscode.workspace.onDidGrantWorkspaceTrust(restart),
        vscode.workspace.onDidChangeConfiguration(event => event.affectsConfiguration("cardgame.path") && restart()),
        testController(vscode, (uri, names) => execute("cardgame.runScenarios", uri, ...(names ? [names] : []))),
    );
    void start();
}

module.exports = { activate, deactivate: stop };
