"use strict";

const assert = require("node:assert/strict");
const { test } = require("node:test");

const { advice, candidates, choose } = require("../src/finder");
const { page } = require("../src/rulebook");
const { scenarios } = require("../src/scenarios");

const LINUX = {
    configured: "", interpreter: undefined, folders: [], env: { PATH: "/usr/bin:/bin" }, home: "/home/ada", platform: "linux",
};

test("the setting is the only candidate where it is given", () => {
    const found = candidates({ ...LINUX, configured: "/opt/cardgame", interpreter: "/x/bin/python" });
    assert.deepEqual(found.map(one => one.path), ["/opt/cardgame"]);
});

test("the selected environment comes first, then folders, the PATH, pipx and uv", () => {
    const found = candidates({
        ...LINUX,
        interpreter: "/env/bin/python3",
        folders: ["/games"],
        env: { PATH: "/usr/bin", PIPX_BIN_DIR: "/pipx", UV_TOOL_BIN_DIR: "/uv" },
    });
    assert.deepEqual(found.map(one => one.path), [
        "/env/bin/cardgame", "/games/.venv/bin/cardgame", "/games/venv/bin/cardgame", "/usr/bin/cardgame",
        "/pipx/cardgame", "/uv/cardgame", "/home/ada/.local/bin/cardgame",
    ]);
});

test("on Windows programs are in Scripts and end in exe", () => {
    const found = candidates({
        ...LINUX, interpreter: "C:\\env\\python.exe", folders: ["C:\\games"], env: { Path: "C:\\bin" },
        home: "C:\\Users\\ada", platform: "win32",
    });
    assert.ok(found.some(one => one.path === "C:\\env\\Scripts\\cardgame.exe"));
    assert.ok(found.some(one => one.path === "C:\\games\\.venv\\Scripts\\cardgame.exe"));
    assert.ok(found.some(one => one.path === "C:\\bin\\cardgame.exe"));
});

test("no place is looked at twice", () => {
    const found = candidates({ ...LINUX, env: { PATH: "/home/ada/.local/bin:/home/ada/.local/bin:" } });
    assert.equal(found.filter(one => one.path === "/home/ada/.local/bin/cardgame").length, 1);
});

const FOUND = [{ path: "/a", origin: "one" }, { path: "/b", origin: "two" }, { path: "/c", origin: "three" }];

test("the first program that can serve is chosen, also after one that cannot", async () => {
    const codes = { "/b": 2, "/c": 0 };
    const check = async path => ({ code: codes[path], output: "" });
    const choice = await choose(FOUND, path => path in codes, check);
    assert.deepEqual(choice, { path: "/c", origin: "three" });
});

test("a program without the extra is named with what to install", async () => {
    const choice = await choose(FOUND, path => path === "/b", async () => ({ code: 2, output: "needs" }));
    assert.equal(choice.problem, "extra");
    assert.match(advice(choice), /\/b \(two\).*pip install 'cardgame\[lsp\]'/);
});

test("a program that does not start is named with what it says", async () => {
    const choice = await choose(FOUND, () => true, async () => ({ code: null, output: "no such interpreter\n" }));
    assert.match(advice(choice), /\/a \(one\) does not start: no such interpreter/);
});

test("where nothing is found the ways to install are listed", async () => {
    const choice = await choose(FOUND, () => false, async () => assert.fail("nothing is there to be run"));
    for (const word of ["pip install", "pipx install", "uv tool install", "cardgame.path"]) {
        assert.ok(advice(choice).includes(word), word);
    }
});

test("scenarios are found by their heads, not in comments or other lines", () => {
    const text = 'scenarios 1 of "x"\n\n# scenario "no"\nsetup "s"\nscenario "one" [R1]\r\n    player 1 does "x"\nscenario "two"\n';
    assert.deepEqual(scenarios(text), [{ name: "one", line: 4 }, { name: "two", line: 6 }]);
});

test("a message in a preview is text", () => {
    assert.ok(!page("<script>").includes("<script>"));
});
