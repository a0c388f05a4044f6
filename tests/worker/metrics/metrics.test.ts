/** GET /metrics gives a collector true figures, and its cost does not grow with the stored data. */
import { env } from 'cloudflare:workers'
import { beforeEach, expect, test } from 'vitest'
import { alarmState } from '#contract/installation/alarms'
import { app } from '../../../worker/app.ts'
import { claim, emptyQueue, reportOf } from '../support/judge.ts'
import { workerEnv } from '../support/step-queue.ts'
import { call, createProblem, registerRunner, requestOf, submit } from '../support/world.ts'

const token = 'metrics-token-of-the-tests'

async function scrape(settings: { METRICS_TOKEN?: string } = {}, given: string | null = token) {
  const request = requestOf('GET', '/metrics', { ...(given && { token: given }) })
  const answer = await app.fetch(request, { ...workerEnv, ...settings })
  const text = await answer.text()
  const samples = Object.fromEntries(
    text
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'))
      .map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.split(' ').at(-1))]),
  )
  return { status: answer.status, type: answer.headers.get('Content-Type'), text, samples }
}

beforeEach(async () => {
  await emptyQueue()
  await env.DB.prepare('delete from runners').run()
})

test('only the token opens it, and without the setting it is refused by name', async () => {
  expect((await scrape({}, 'another-token-altogether')).status).toBe(401)
  expect((await scrape({}, null)).status).toBe(401)
  const closed = await scrape({ METRICS_TOKEN: '' })
  expect([closed.status, JSON.parse(closed.text).data[0].name]).toEqual([409, 'METRICS_TOKEN'])
})

test('it is OpenMetrics: each family has a type and a help, and the text ends with EOF', async () => {
  const { type, text } = await scrape()
  expect(type).toBe('application/openmetrics-text; version=1.0.0; charset=utf-8')
  expect(text.endsWith('\n# EOF\n')).toBe(true)
  const types = [...text.matchAll(/^# TYPE (\w+) (gauge|counter)$/gm)].map(([, name]) => name)
  const helps = [...text.matchAll(/^# HELP (\w+) .+\.$/gm)].map(([, name]) => name)
  expect(helps).toEqual(types)
  expect(new Set(types).size).toBe(types.length)
})

test('the queue, the verdicts of a host and its time are counted, a result that comes twice once', async () => {
  const runner = await registerRunner(4)
  const { student, problemId } = await createProblem()
  await submit(student, problemId)
  await submit(student, problemId)
  await env.DB.prepare('update judgements set queued_at = queued_at - 70').run()
  const { samples: before } = await scrape()
  expect(before).toMatchObject({
    'coursejudge_jobs_waiting{priority="live"}': 2,
    'coursejudge_jobs_waiting{priority="bulk"}': 0,
    coursejudge_jobs_judging: 0,
    coursejudge_hosts_alive: 1,
    coursejudge_slots: 4,
  })
  expect(before['coursejudge_oldest_waiting_seconds{priority="live"}']).toBeGreaterThanOrEqual(70)
  const { judgementId, lease } = (await claim(runner)).data
  expect((await scrape()).samples).toMatchObject({ coursejudge_jobs_judging: 1 })
  await env.DB.prepare(
    'update judgements set claimed_at = claimed_at - 9 where lease is not null',
  ).run()
  for (let sent = 0; sent < 2; sent += 1)
    await call('PUT', `/runner/jobs/${judgementId}/result`, {
      token: runner,
      json: reportOf(lease),
    })
  const { samples, text } = await scrape()
  const verdicts = Object.entries(samples).filter(([name]) => name.includes('verdicts_total'))
  expect(verdicts).toHaveLength(8)
  expect(verdicts.reduce((sum, [, count]) => sum + count, 0)).toBe(1)
  const [seconds] = Object.entries(samples).filter(([name]) => name.includes('judge_seconds_total'))
  expect(seconds?.[1]).toBeGreaterThanOrEqual(9)
  expect(seconds?.[1]).toBeLessThan(9 + 300)
  expect(text).toContain('coursejudge_jobs_waiting{priority="live"} 1\n')
  expect(samples['coursejudge_database_bytes']).toBeGreaterThan(0)
})

test('a name of a host cannot break out of its label', async () => {
  await registerRunner()
  const name = 'a"} 1\n# EOF\\'
  await env.DB.prepare('update runners set name = ?').bind(name).run()
  const { text } = await scrape()
  expect(text).toContain('name="a\\"} 1\\n# EOF\\\\"')
  expect(text.match(/^# EOF$/gm)).toHaveLength(1)
})

test('what a scrape reads grows with open jobs and hosts, not with what was judged', async () => {
  const runner = await registerRunner()
  const { student, problemId } = await createProblem()
  const { samples: empty } = await scrape()
  for (let count = 0; count < 10; count += 1) {
    await submit(student, problemId)
    const { judgementId, lease } = (await claim(runner)).data
    await call('PUT', `/runner/jobs/${judgementId}/result`, {
      token: runner,
      json: reportOf(lease),
    })
  }
  const { samples } = await scrape()
  expect(samples['coursejudge_scrape_rows_read']).toBe(empty['coursejudge_scrape_rows_read'])
})

test('the alarms that last are 1, all others 0', async () => {
  await env.DB.prepare(
    "insert into alarms (state, since, over_at, next_at) values ('no_backup', 1, null, 1), ('old_host', 1, 2, 2)",
  ).run()
  const { samples } = await scrape()
  const alarms = Object.entries(samples).filter(([name]) => name.startsWith('coursejudge_alarm{'))
  expect(alarms).toHaveLength(alarmState.options.length)
  expect(alarms.filter(([, value]) => value !== 0)).toEqual([
    ['coursejudge_alarm{state="no_backup"}', 1],
  ])
})
