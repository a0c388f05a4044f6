/** A judge is lost, and its people find everything again after a restore. */
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, inject, test } from 'vitest'
import * as z from 'zod'
import { submissionCreated, submissionDetail } from '#contract/submissions'
import { STATUS } from '#contract/verdicts'
import type { ApiClient } from '../../scripts/api-client.ts'
import { makeBackup } from '../../scripts/backup/backup.ts'
import { openLocal } from '../../scripts/backup/local.ts'
import { restoreBackup } from '../../scripts/backup/restore.ts'
import { ROOT } from '../../scripts/root.ts'
import { signIn } from '../../scripts/test/browser.ts'
import { freePort } from '../../scripts/stack/ports.ts'
import { startStack, type Stack } from '../../scripts/stack/stack.ts'
import { newVisitor } from '../support/browser.ts'
import { afterThisFile } from '../support/clean-up.ts'
import { eventually } from '../support/eventually.ts'
import { clientOf } from '../support/stack.ts'
import { copyTemplate } from '../support/template.ts'

const PROGRAMS = [
  'a, b = map(int, input().split())\nprint(a + b)',
  'print(3)',
  'while True: pass',
  'print(',
]

/** Calls by which students and staff read one submission and pages around it. */
const READS = [
  '/problem?course=Demo&offset=0&count=50',
  '/problem/1',
  '/course/Demo',
  '/course/Demo/ann',
  '/course/Demo/homework',
  '/course/Demo/questions',
  '/submission?course=Demo&offset=0&count=50',
]

async function start(stateDir: string): Promise<Stack> {
  const stack = await startStack({ port: await freePort(), stateDir, runners: 1 })
  afterThisFile(stack.stop)
  await stack.untilHealthy()
  return stack
}

function judged(api: ApiClient, submissionId: string) {
  return eventually(async () => {
    const detail = await api.call('GET', `/submission/${submissionId}`, submissionDetail)
    if (detail.status === STATUS.PENDING) throw new Error('It is not judged yet.')
    return detail
  })
}

/** The pages that they see, by address. */
async function pagesOf(url: string): Promise<Record<string, unknown>> {
  const pages: Record<string, unknown> = {}
  for (const person of ['student', 'teacher']) {
    const api = await clientOf(url, person)
    for (const path of READS) pages[`${person} ${path}`] = await api.call('GET', path, z.unknown())
  }
  return pages
}

test('sign in, the same pages, the same code, and the same verdicts when all is judged again [PR4]', async () => {
  const root = await mkdtemp(join(tmpdir(), 'judge-backup-'))
  afterThisFile(() => rm(root, { recursive: true, force: true }))
  const [lost, restored] = [join(root, 'lost'), join(root, 'restored')]
  await mkdir(lost)
  await copyTemplate(inject('judgeTemplate'), lost, { demo: true, runners: 1 })

  const before = await start(lost)
  const student = await clientOf(before.url, 'student')
  const handed = []
  for (const code of PROGRAMS) {
    const json = { problemId: 1, languageType: 2, code }
    const { submissionId } = await student.call('POST', '/submission', submissionCreated, { json })
    handed.push(await judged(student, submissionId))
  }
  expect(new Set(handed.map(({ status }) => status)).size).toBe(4)
  const pages = await pagesOf(before.url)
  await before.stop()

  const source = await openLocal(lost)
  await makeBackup(source, join(root, 'backup'), () => {})
  await source.close()
  await rm(lost, { recursive: true })
  const target = await openLocal(restored)
  await restoreBackup(target, join(root, 'backup'), () => {})
  await target.close()
  // The command compares everything again, and judges the newest accepted program in a stack of its own.
  const drill = await promisify(execFile)(
    process.execPath,
    ['scripts/backup/drill.ts', join(root, 'backup')],
    { cwd: ROOT },
  )
  expect(drill.stdout).toContain(
    `Submission ${handed[0]?.submissionId}: judged again, the same verdict.`,
  )

  const after = await start(restored)
  expect(await pagesOf(after.url)).toEqual(pages)
  const page = await newVisitor(after.url)
  await signIn(page, 'student')
  await page.goto(`/course/Demo/submission/${handed[0]?.submissionId}`)
  await page.getByText('a, b = map(int, input().split())').waitFor()

  const teacher = await clientOf(after.url, 'teacher')
  for (const { submissionId, status, score } of handed) {
    await teacher.call('POST', `/submission/${submissionId}/rejudge`, z.unknown())
    const again = await judged(teacher, submissionId)
    expect([again.status, again.score]).toEqual([status, score])
  }
})
