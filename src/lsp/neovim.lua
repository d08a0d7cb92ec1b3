-- Neovim as a client: opens a model, waits for diagnostics, jumps to a definition, renames, reads the code lenses. Prints one line of JSON.
local cli, path = vim.env.SPILLWAY_CLI, vim.env.SPILLWAY_MODEL
local seen = {}

local function wait(what, test)
  if not vim.wait(60000, test, 20) then
    error('waited in vain for ' .. what)
  end
end

local ok, problem = pcall(function()
  vim.cmd('edit ' .. path)
  local buffer = vim.api.nvim_get_current_buf()
  local client = vim.lsp.start_client({ name = 'spillway', cmd = { vim.env.SPILLWAY_NODE, cli, 'lsp' } })
  vim.lsp.buf_attach_client(buffer, client)
  wait('diagnostics', function() return #vim.diagnostic.get(buffer) > 0 end)
  seen.diagnostics = vim.tbl_map(function(one) return one.message end, vim.diagnostic.get(buffer))

  -- Mend the model: `countr` in line 3.
  local line = vim.api.nvim_buf_get_lines(buffer, 2, 3, false)[1]
  local mended = line:gsub('countr', 'counter')
  vim.api.nvim_buf_set_lines(buffer, 2, 3, false, { mended })
  wait('no diagnostics', function() return #vim.diagnostic.get(buffer) == 0 end)

  vim.api.nvim_win_set_cursor(0, { 3, (mended:find('counter') or 1) - 1 })
  vim.lsp.buf.definition()
  wait('the definition', function() return vim.api.nvim_win_get_cursor(0)[1] == 1 end)
  seen.definition = vim.api.nvim_win_get_cursor(0)

  vim.lsp.buf.rename('total')
  wait('the new name', function()
    return table.concat(vim.api.nvim_buf_get_lines(buffer, 0, -1, false), '\n'):find('total = total') ~= nil
  end)
  vim.cmd('silent write')
  local lenses = {}
  wait('the code lens', function()
    vim.lsp.codelens.refresh()
    vim.wait(200, function() return false end)
    lenses = vim.tbl_map(function(one) return one.command.title end, vim.lsp.codelens.get(buffer))
    return vim.tbl_contains(lenses, 'at most 1 message (capacity 4)') and vim.tbl_contains(lenses, '✓ deadlock-free proved')
  end)
  seen.lenses = lenses
  seen.text = vim.api.nvim_buf_get_lines(buffer, 0, -1, false)
  vim.lsp.stop_client(client)
end)
if not ok then
  seen.problem = tostring(problem)
end
io.stdout:write(vim.json.encode(seen) .. '\n')
vim.cmd('qall!')
