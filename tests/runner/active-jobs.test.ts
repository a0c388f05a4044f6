/** The lists of jobs that a runner holds. */
import { expect, it } from 'vitest'
import type { Job } from '#contract/judging'
import { type ActiveJob, ActiveJobs } from '../../runner/active-jobs.ts'
import { JudgeServer } from './fixtures/judge-server.ts'

const server = new JudgeServer()

it('a job that was given anew meanwhile is not forgotten with the old one', () => {
  const jobs = new ActiveJobs()
  const old = jobs.add(server.job(1))
  const anew = jobs.add({ ...server.job(1), lease: 'anew' })
  jobs.remove(old)
  expect(jobs.all).toEqual([anew])
  jobs.remove(anew)
  expect(jobs.ids).toEqual([])
})

it('each list has the jobs that it names and no others', () => {
  const jobs = new ActiveJobs()
  const names = new Map<string, string>()
  let id = 0
  function add(name: string, change: Partial<ActiveJob> = {}, testData?: Job['testData']) {
    id += 1
    const job = { ...server.job(id), ...(testData && { testData }) }
    Object.assign(jobs.add(job), change)
    names.set(job.judgementId, name)
  }
  add('at work')
  add('ahead', { isAhead: true })
  add('ahead, handed back', { isAhead: true, abandoned: true })
  add('judged', { isJudged: true })
  add('run', {}, { inputs: [] })
  add('run, handed back', { abandoned: true }, { inputs: [] })
  add('run, judged', { isJudged: true }, { inputs: [] })
  const named = (list: readonly (ActiveJob | string)[]) =>
    list.map((each) => names.get(typeof each === 'string' ? each : each.job.judgementId))
  expect(named(jobs.all)).toEqual([...names.values()])
  expect(named(jobs.ids)).toEqual([...names.values()])
  expect(named(jobs.ahead)).toEqual(['ahead'])
  expect(named(jobs.runs)).toEqual(['run'])
})

it('the next job is a submission before a bulk rejudge, of the lowest rank, of equal ones the first', () => {
  const jobs = new ActiveJobs()
  const add = (id: number, change: Partial<Job>, isAhead = true) =>
    Object.assign(jobs.add({ ...server.job(id), ...change }), { isAhead })
  add(1, { rank: 0 }, false)
  expect(jobs.next).toBeUndefined()
  const expected = [
    add(2, { rank: 0, rejudge: '0'.repeat(24) }),
    add(3, { rank: 7 }),
    add(4, { rank: 2 }),
    add(5, { rank: 2 }),
  ]
  const order = expected.map(() => {
    const next = jobs.next
    if (next) next.isAhead = false
    return next
  })
  expect(order).toEqual([2, 3, 1, 0].map((index) => expected[index]))
})
