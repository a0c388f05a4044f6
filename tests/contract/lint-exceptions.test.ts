import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'

const ROOT = new URL('../..', import.meta.url)

test('exceptions from lint are of one dialect, and each says why', () => {
  const args = ['grep', '-hE', '(es|ox)lint-disable', '--', '*.ts', '*.tsx', ':!tests/contract']
  const lines = execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).trim().split('\n')
  expect(lines.length).toBeGreaterThan(5)
  expect(lines.filter((line) => !/\boxlint-disable-next-line .+ -- \S/.test(line))).toEqual([])
})
