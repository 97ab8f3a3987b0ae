-- What tests/editors/neovim does in Neovim.

local function fail(message)
  io.stderr:write('\n' .. message .. '\n')
  vim.cmd('cquit 1')
end

local function check(is_so, message)
  if not is_so then
    fail(message .. '\n' .. vim.inspect(vim.diagnostic.get(0)))
  end
end

local function codes()
  local codes = vim.tbl_map(function(found)
    return found.code or (found.user_data and found.user_data.lsp and found.user_data.lsp.code)
  end, vim.diagnostic.get(0))
  table.sort(codes)
  return table.concat(codes, ' ')
end

local function wait_for(expected)
  vim.wait(15000, function()
    return codes() == expected
  end, 20)
  check(codes() == expected, 'expected `' .. expected .. '`, found `' .. codes() .. '`')
end

local function type_keys(keys)
  vim.api.nvim_feedkeys(vim.api.nvim_replace_termcodes(keys, true, false, true), 'xt', false)
end

local function run()
  vim.cmd('edit ' .. vim.fn.fnameescape(vim.g.place .. '/skills/pdf/SKILL.md'))
  local attached = vim.wait(15000, function()
    return #vim.lsp.buf_get_clients(0) > 0
  end, 20)
  check(attached, 'no client is attached')
  wait_for('')

  -- A fault, typed behind an emoji.
  type_keys('3GA: all 😀 kinds<Esc>')
  wait_for('E003')
  local found = vim.diagnostic.get(0)[1]
  check(found.lnum == 2 and found.source == 'skills', 'it is in the wrong place')

  -- A dead link.
  type_keys('5Gcc[f](references/felds.md)<Esc>')
  wait_for('E003 L105')

  skills_fix_all()
  wait_for('L105')

  -- The suggested edit for the link.
  vim.api.nvim_win_set_cursor(0, { 5, 6 })
  local params = vim.lsp.util.make_range_params(0, 'utf-16')
  params.context = { diagnostics = {}, only = { 'quickfix' } }
  local answers = vim.lsp.buf_request_sync(0, 'textDocument/codeAction', params, 15000)
  for _, answer in pairs(answers) do
    vim.lsp.util.apply_workspace_edit(answer.result[1].edit, 'utf-16')
  end
  wait_for('')

  -- What else a user asks for.
  local at = function(line, column)
    vim.api.nvim_win_set_cursor(0, { line, column })
    local here = vim.lsp.util.make_position_params(0, 'utf-16')
    return function(method)
      for _, answer in pairs(vim.lsp.buf_request_sync(0, method, here, 15000)) do
        return answer.result
      end
    end
  end
  local hover = at(3, 20)('textDocument/hover')
  check(hover and hover.contents.value:find('A model sees this line', 1, true), 'no hover')
  local target = at(5, 6)('textDocument/definition')
  check(target and target.uri:find('fields.md', 1, true), 'no definition')

  vim.cmd('silent write')
  wait_for('')
end

local ok, why = pcall(run)
if not ok then
  fail(tostring(why))
end
vim.cmd('quitall!')
