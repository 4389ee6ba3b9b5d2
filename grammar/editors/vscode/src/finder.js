// Finds the program `cardgame`: the places where it may be, and which of them can serve an editor.
"use strict";

const path = require("node:path");

/**
 * Where the program may be, best first, each once.
 *
 * @param {object} where
 * @param {string} where.configured  the setting `cardgame.path`, or an empty text
 * @param {string | undefined} where.interpreter  the selected Python interpreter, if there is one
 * @param {string[]} where.folders  the folders of the workspace, none if they are not trusted
 * @param {NodeJS.ProcessEnv} where.env  the environment
 * @param {string} where.home  the home folder
 * @param {string} where.platform  the platform, such as `linux` or `win32`
 * @returns {{ path: string, origin: string }[]}
 */
function candidates({ configured, interpreter, folders, env, home, platform }) {
    const windows = platform === "win32";
    const join = windows ? path.win32.join : path.posix.join;
    const dirname = windows ? path.win32.dirname : path.posix.dirname;
    const name = windows ? "cardgame.exe" : "cardgame";
    const scripts = windows ? "Scripts" : "bin";
    if (configured) {
        return [{ path: configured, origin: "the setting `cardgame.path`" }];
    }
    const found = [];
    if (interpreter) {
        found.push({ path: join(dirname(interpreter), name), origin: "the selected Python environment" });
        if (windows) {
            found.push({ path: join(dirname(interpreter), scripts, name), origin: "the selected Python environment" });
        }
    }
    for (const folder of folders) {
        for (const venv of [".venv", "venv"]) {
            found.push({ path: join(folder, venv, scripts, name), origin: `${venv} of the folder` });
        }
    }
    const separator = windows ? ";" : ":";
    for (const folder of (env.PATH || env.Path || "").split(separator)) {
        if (folder) {
            found.push({ path: join(folder, name), origin: "the PATH" });
        }
    }
    for (const [variable, tool] of [["PIPX_BIN_DIR", "pipx"], ["UV_TOOL_BIN_DIR", "uv"], ["XDG_BIN_HOME", "uv"]]) {
        if (env[variable]) {
            found.push({ path: join(env[variable], name), origin: tool });
        }
    }
    found.push({ path: join(home, ".local", "bin", name), origin: "pipx or uv" });
    const seen = new Set();
    return found.filter(one => !seen.has(one.path) && seen.add(one.path));
}

/**
 * The first candidate that can serve an editor; else why none can.
 *
 * @param {{ path: string, origin: string }[]} found
 * @param {(path: string) => boolean} exists
 * @param {(path: string) => Promise<{ code: number | null, output: string }>} check  runs `cardgame lsp --check`
 * @returns {Promise<{ path?: string, origin?: string, problem?: "missing" | "extra" | "broken", detail?: string }>}
 */
async function choose(found, exists, check) {
    let failed;
    for (const one of found) {
        if (!exists(one.path)) {
            continue;
        }
        const { code, output } = await check(one.path);
        if (code === 0) {
            return { path: one.path, origin: one.origin };
        }
        const problem = code === 2 ? "extra" : "broken";
        failed = failed || { problem, path: one.path, origin: one.origin, detail: output.trim() };
    }
    return failed || { problem: "missing" };
}

/**
 * What to say where no program can be started.
 *
 * @param {{ path?: string, origin?: string, problem?: string, detail?: string }} choice
 * @returns {string}
 */
function advice(choice) {
    switch (choice.problem) {
        case "extra":
            return `${choice.path} (${choice.origin}) cannot serve an editor yet. Install its extra \`lsp\` in the same ` +
                "environment: pip install 'cardgame[lsp]'.";
        case "broken":
            return `${choice.path} (${choice.origin}) does not start: ${choice.detail || "no output"}`;
        default:
            return "The program `cardgame` was not found. Install it with one of: pip install 'cardgame[lsp]' in the " +
                "selected Python environment; pipx install 'cardgame[lsp]'; uv tool install 'cardgame[lsp]'. " +
                "Or set `cardgame.path`.";
    }
}

module.exports = { advice, candidates, choose };
