import { expect, test } from 'vitest'
import { statementsOf } from '../../scripts/backup/statements.ts'

const STATEMENTS = [
  'PRAGMA defer_foreign_keys=TRUE;',
  `\nINSERT INTO "t" VALUES('a;b','it''s; "x"',X'3B','line\nbreak;\n');`,
  "\nCREATE TRIGGER t BEFORE DELETE ON a BEGIN SELECT RAISE(ABORT, 'no; never'); END;",
  '\nCREATE TABLE `a;b` ("c;d" text);',
]

async function* piecesOf(text: string, size: number) {
  for (let at = 0; at < text.length; at += size) yield text.slice(at, at + size)
}

test.each([1, 2, 7, 1_000])('statements are found in pieces of %d characters', async (size) => {
  const found: string[] = []
  for await (const statement of statementsOf(piecesOf(STATEMENTS.join(''), size)))
    found.push(statement)
  expect(found).toEqual(STATEMENTS)
})
