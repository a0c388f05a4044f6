import { expect, it } from 'vitest'
import { toEditorSettings } from '../../web/lib/editor-settings.ts'

const DEFAULTS = { fontSizePx: 14, tabWidth: 4, keyMap: 'default', plain: false }

it.each([
  [null, DEFAULTS],
  ['', DEFAULTS],
  ['{', DEFAULTS],
  ['[]', DEFAULTS],
  ['7', DEFAULTS],
  ['{}', DEFAULTS],
  [
    '{"fontSizePx":18,"tabWidth":2,"keyMap":"vim","plain":true}',
    { fontSizePx: 18, tabWidth: 2, keyMap: 'vim', plain: true },
  ],
  ['{"fontSizePx":900,"tabWidth":"8","keyMap":"emacs","x":1}', { ...DEFAULTS, keyMap: 'emacs' }],
])('the editor reads the stored %j as settings that exist', (stored, expected) => {
  expect(toEditorSettings(stored)).toEqual(expected)
})
