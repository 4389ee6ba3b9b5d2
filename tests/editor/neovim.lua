-- A new user's trial in Neovim without a screen: open a folder, break three rules, repair them with quick fixes, rename a zone
-- across a variant, and run a scenario from its lens. Writes what happened as JSON.
--
--     nvim --headless --clean -u trial.lua    with FOLDER, PROGRAM and REPORT in the environment

local folder, program, report = vim.env.FOLDER, vim.env.PROGRAM, vim.env.REPORT
local steps = {}
-- Milliseconds that any answer may take: only a server that never answers fails, however busy the machine is.
local PATIENCE = 250000

local function finish(problem)
  local file = assert(io.open(report, "w"))
  file:write(vim.json.encode({ steps = steps, problem = problem }))
  file:close()
  vim.cmd(problem and "cquit 1" or "quitall!")
end

local function step(name, detail)
  table.insert(steps, { name = name, detail = detail or "" })
end

local function await(what, test)
  if not vim.wait(PATIENCE, test, 5) then
    finish("timed out: " .. what)
  end
end

local function codes(buffer)
  local found = {}
  for _, one in ipairs(vim.diagnostic.get(buffer)) do
    table.insert(found, one.code or (one.user_data and one.user_data.lsp and one.user_data.lsp.code) or "?")
  end
  table.sort(found)
  return table.concat(found, " ")
end

local function request(buffer, method, params)
  local answers, problem = vim.lsp.buf_request_sync(buffer, method, params, PATIENCE)
  for _, answer in pairs(answers or {}) do
    if answer.result then
      return answer.result
    end
    problem = answer.error and answer.error.message
  end
  finish(method .. ": " .. tostring(problem))
end

local function replace(buffer, old, new)
  for number, line in ipairs(vim.api.nvim_buf_get_lines(buffer, 0, -1, false)) do
    local first, last = line:find(old, 1, true)
    if first then
      vim.api.nvim_buf_set_text(buffer, number - 1, first - 1, number - 1, last, { new })
      return { line = number - 1, character = first - 1 }
    end
  end
  finish("no line has: " .. old)
end

local function position(buffer, text, offset)
  for number, line in ipairs(vim.api.nvim_buf_get_lines(buffer, 0, -1, false)) do
    local first = line:find(text, 1, true)
    if first then
      return { line = number - 1, character = first - 1 + (offset or 0) }
    end
  end
  finish("no line has: " .. text)
end

local function text_of(buffer)
  return table.concat(vim.api.nvim_buf_get_lines(buffer, 0, -1, false), "\n") .. "\n"
end

local shown = {}
vim.lsp.handlers["window/showMessage"] = function(_, result)
  table.insert(shown, result.message)
end

vim.api.nvim_create_autocmd({ "BufRead", "BufNewFile" }, {
  pattern = { "*.cardgame", "*.scenarios" },
  callback = function(event)
    vim.bo[event.buf].filetype = event.match:match("%.cardgame$") and "cardgame" or "scenarios"
  end,
})

vim.schedule(function()
  local ok, problem = pcall(function()
    vim.opt.hidden = true
    local client = vim.lsp.start_client({
      name = "cardgame",
      cmd = { program, "lsp" },
      root_dir = folder,
      workspace_folders = { { uri = vim.uri_from_fname(folder), name = "games" } },
    })
    local function open(name)
      vim.cmd("edit " .. vim.fn.fnameescape(folder .. "/" .. name))
      local buffer = vim.api.nvim_get_current_buf()
      vim.lsp.buf_attach_client(buffer, client)
      return buffer
    end

    local game = open("small.cardgame")
    local original = text_of(game)
    await("the server", function()
      return #vim.lsp.get_active_clients() > 0 and vim.lsp.get_client_by_id(client).initialized
    end)
    local document = { uri = vim.uri_from_bufnr(game) }
    local hover
    await("a hover", function()
      local answers = vim.lsp.buf_request_sync(game, "textDocument/hover", {
        textDocument = document,
        position = position(game, "move c to trick", 11),
      }, PATIENCE)
      hover = answers and answers[client] and answers[client].result
      return hover
    end)
    step("open a folder and hover over a zone", hover.contents.value)

    replace(game, "move c to trick", "move c to trik")
    replace(game, "shuffle stock", "shufle stock")
    replace(game, "score[p] += big", "scor[p] += big")
    await("three diagnostics", function()
      return codes(game) == "CG103 CG201 CG201"
    end)
    step("break three rules", codes(game))

    for _ = 1, 3 do
      local before = #vim.diagnostic.get(game)
      local mistake = vim.diagnostic.get(game)[1]
      local place = { line = mistake.lnum, character = mistake.col }
      local actions = request(game, "textDocument/codeAction", {
        textDocument = document,
        range = { start = place, ["end"] = place },
        context = { diagnostics = {} },
      })
      local action = actions[1] or finish("no fix for " .. mistake.message)
      vim.lsp.util.apply_workspace_edit(action.edit, vim.lsp.get_client_by_id(client).offset_encoding)
      await("one diagnostic less", function()
        return #vim.diagnostic.get(game) < before
      end)
    end
    if text_of(game) ~= original then
      finish("the fixes did not restore the text")
    end
    step("repair them with quick fixes")

    local edit = request(game, "textDocument/rename", {
      textDocument = document,
      position = position(game, "hand[player]", 1),
      newName = "grip",
    })
    vim.lsp.util.apply_workspace_edit(edit, vim.lsp.get_client_by_id(client).offset_encoding)
    local variant, scenarios = open("other.cardgame"), open("small.scenarios")
    await("diagnostics of all files", function()
      return #vim.diagnostic.get(game) + #vim.diagnostic.get(variant) + #vim.diagnostic.get(scenarios) == 0
    end)
    for _, buffer in ipairs({ game, variant, scenarios }) do
      if text_of(buffer):find("hand[", 1, true) or not text_of(buffer):find("grip[", 1, true) then
        finish("the rename left out a file")
      end
    end
    step("rename a zone across a variant and its scenarios")

    local lenses = request(scenarios, "textDocument/codeLens", { textDocument = { uri = vim.uri_from_bufnr(scenarios) } })
    local lens = lenses[#lenses]
    local results = request(scenarios, "workspace/executeCommand", {
      command = lens.command.command,
      arguments = lens.command.arguments,
    })
    step("run a scenario from its lens", lens.command.title .. ": " .. tostring(results[1].passed))
    await("the summary", function()
      return #shown > 0
    end)
    step("read the summary", shown[#shown])
    vim.lsp.stop_client(client)
  end)
  finish(not ok and tostring(problem) or nil)
end)
