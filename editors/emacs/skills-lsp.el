;;; skills-lsp.el --- `skills lsp' for SKILL.md, through eglot  -*- lexical-binding: t; -*-

;; Load this file from your init file, and have the program `skills' on the PATH.
;; M-x eglot-code-actions shows the fixes at point.

;;; Code:

(require 'eglot)

(define-derived-mode skills-md-mode text-mode "Skill"
  "For SKILL.md; derives from `markdown-mode' where that is installed.")

(when (require 'markdown-mode nil t)
  (define-derived-mode skills-md-mode markdown-mode "Skill"
    "For SKILL.md."))

(define-derived-mode skills-command-mode text-mode "SkillCommand"
  "For NAME.command.yaml.")

(add-to-list 'auto-mode-alist '("/SKILL\\.md\\'" . skills-md-mode))
(add-to-list 'auto-mode-alist '("\\.command\\.yaml\\'" . skills-command-mode))
(add-to-list 'eglot-server-programs
             '((skills-md-mode skills-command-mode) . ("skills" "lsp")))
(add-hook 'skills-md-mode-hook #'eglot-ensure)
(add-hook 'skills-command-mode-hook #'eglot-ensure)

(provide 'skills-lsp)
;;; skills-lsp.el ends here
