import { expect, it } from 'vitest'
import { toEditorSettings } from '../../web/lib/drafts/editor-settings.ts'

const DEFAULTS = { fontSizePx: 14, tabWidth: 4, plain: false }

it.each([
  [null, DEFAULTS],
  ['', DEFAULTS],
  ['{', DEFAULTS],
  ['[]', DEFAULTS],
  ['7', DEFAULTS],
  ['{}', DEFAULTS],
  ['{"fontSizePx":18,"tabWidth":2,"plain":true}', { fontSizePx: 18, tabWidth: 2, plain: true }],
  ['{"fontSizePx":900,"tabWidth":"8"","x":1}', DEFAULTS],
])('the editor reads the stored %j as settings that exist', (stored, expected) => {
  expect(toEditorSettings(stored)).toEqual(expected)
})
