// The rulebook of a spec beside its text, which follows the text as it changes.
"use strict";

const QUIET = 600;

/** The text of a page with a message, which may hold anything. */
function page(message) {
    const escaped = message.replace(/[&<>"]/g, char => `&#${char.charCodeAt(0)};`);
    return `<!DOCTYPE html><html lang="en"><body><p>${escaped}</p></body></html>`;
}

/**
 * Opens previews of rulebooks, one for each spec.
 *
 * @param {typeof import("vscode")} vscode
 * @param {(uri: string) => Promise<string>} rulebook  the page of a spec
 */
function previews(vscode, rulebook) {
    const open = new Map();

    async function show(uri) {
        const panel = open.get(uri.toString());
        try {
            panel.webview.html = await rulebook(uri.toString());
        } catch (error) {
            // While the spec has errors the last rulebook stays.
            panel.webview.html = panel.webview.html || page(String(error.message || error));
        }
    }

    const timers = new Map();
    const changes = vscode.workspace.onDidChangeTextDocument(({ document }) => {
        const key = document.uri.toString();
        if (open.has(key)) {
            clearTimeout(timers.get(key));
            timers.set(key, setTimeout(() => open.has(key) && show(document.uri), QUIET));
        }
    });

    async function preview(uri) {
        const key = uri.toString();
        if (open.has(key)) {
            open.get(key).reveal(vscode.ViewColumn.Beside, true);
            return;
        }
        const title = `Rulebook: ${vscode.workspace.asRelativePath(uri)}`;
        const options = { enableScripts: false, localResourceRoots: [] };
        const where = { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true };
        const panel = vscode.window.createWebviewPanel("cardgame.rulebook", title, where, options);
        open.set(key, panel);
        panel.onDidDispose(() => open.delete(key));
        await show(uri);
    }

    return { preview, changes };
}

module.exports = { page, previews };
