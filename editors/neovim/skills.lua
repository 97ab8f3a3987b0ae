-- Starts `skills lsp` for SKILL.md, NAME.command.yaml and Cargo.toml. Works from Neovim 0.7 on.
-- Put this file into ~/.config/nvim/plugin/, and the program `skills` on the PATH.
-- `:lua skills_fix_all()` applies every fix that is unambiguous.

local clients = {}

-- The folder of the workspace: the repository, else the directory of the file.
local function folder_of(path)
  local directory = vim.fn.fnamemodify(path, ':p:h')
  local above = vim.fn.escape(directory, ' ,\\') .. ';'
  local git = vim.fn.finddir('.git', above)
  if git ~= '' then
    return vim.fn.fnamemodify(git, ':p:h:h')
  end
  local manifest = vim.fn.findfile('Cargo.toml', above)
  return manifest ~= '' and vim.fn.fnamemodify(manifest, ':p:h') or directory
end

local function attach(buffer)
  local folder = folder_of(vim.api.nvim_buf_get_name(buffer))
  local start = vim.lsp.start_client
  local config = { name = 'skills', cmd = { 'skills', 'lsp' }, root_dir = folder }
  config.workspace_folders = { { uri = vim.uri_from_fname(folder), name = folder } }
  if vim.lsp.start then
    vim.lsp.start(config, { bufnr = buffer })
    return
  end
  if not (clients[folder] and vim.lsp.get_client_by_id(clients[folder])) then
    clients[folder] = start(config)
  end
  if clients[folder] then
    vim.lsp.buf_attach_client(buffer, clients[folder])
  end
end

vim.api.nvim_create_autocmd({ 'BufReadPost', 'BufNewFile' }, {
  pattern = { 'SKILL.md', '*.command.yaml', 'Cargo.toml' },
  callback = function(args)
    attach(args.buf)
  end,
})

function _G.skills_fix_all()
  local params = vim.lsp.util.make_range_params(0, 'utf-16')
  params.context = { diagnostics = {}, only = { 'source.fixAll.skills' } }
  local answers = vim.lsp.buf_request_sync(0, 'textDocument/codeAction', params, 5000)
  for _, answer in pairs(answers or {}) do
    for _, action in pairs(answer.result or {}) do
      vim.lsp.util.apply_workspace_edit(action.edit, 'utf-16')
    end
  end
end
