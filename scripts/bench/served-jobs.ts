/** The times at which runners behind proxies get submissions, with a claim or a result, and at which the results are stored. */
import { job } from '#contract/judging'
import type { ProxiedCall } from '../stack/runner-proxy.ts'

/** The times of a submission, epoch ms; 0: not yet. */
export interface Service {
  runner: number
  claimedMs: number
  doneMs: number
}

/** Notes the calls that pass the proxies. */
export class ServedJobs {
  readonly bySubmission = new Map<string, Service>()
  private readonly submissionOf = new Map<string, string>()

  /** For the proxy of a runner: lets every call pass. */
  readonly note = ({ name, stage, data, status, path }: ProxiedCall, runner = 0): true => {
    if (stage !== 'answered') return true
    const given = job
      .pick({ judgementId: true, submissionId: true })
      .safeParse((data as { data?: unknown } | null)?.data)
    if ((name === 'claim' || name === 'result') && given.success) {
      this.submissionOf.set(given.data.judgementId, given.data.submissionId)
      const before = this.bySubmission.get(given.data.submissionId)
      // For a job that was handed back, its first claim counts.
      const claimedMs = before?.claimedMs ?? Date.now()
      this.bySubmission.set(given.data.submissionId, { runner, claimedMs, doneMs: 0 })
    }
    if (name === 'result' && status === 200) {
      const judgementId = path.split('/').at(-2) ?? ''
      const service = this.bySubmission.get(this.submissionOf.get(judgementId) ?? '')
      if (service) service.doneMs = Date.now()
    }
    return true
  }

  /** When runners with one slot began each submission: a job that was claimed ahead begins when the job before it is done. */
  beginnings(): Map<string, number> {
    const begun = new Map<string, number>()
    const lastDoneMs: number[] = []
    const inOrder = [...this.bySubmission].toSorted(
      ([, left], [, right]) => left.doneMs - right.doneMs,
    )
    for (const [submissionId, { runner, claimedMs, doneMs }] of inOrder) {
      begun.set(submissionId, Math.max(claimedMs, lastDoneMs[runner] ?? 0))
      lastDoneMs[runner] = doneMs
    }
    return begun
  }
}

/** A job in a queue. `rank`: how many jobs its student has had before it. */
interface QueuedJob {
  arrivedMs: number
  tookMs: number
  rank?: number
}

/**
 * How long each job would wait, ms, if this number of slots served all jobs in fair order, each job for as long as it really took. The
 * student with the fewest earlier jobs comes first; between equal students the job that arrived first comes first.
 * @param jobs in order of arrival
 */
export function idealWaits(jobs: readonly QueuedJob[], slots: number): number[] {
  const free = Array.from({ length: slots }, () => 0)
  const waits: number[] = []
  const open = new Set(jobs.keys())
  while (open.size > 0) {
    const slot = free.indexOf(Math.min(...free))
    const [first = 0] = open
    const nowMs = Math.max(free[slot] ?? 0, jobs[first]?.arrivedMs ?? 0)
    let best = first
    for (const index of open) {
      const { arrivedMs = 0, rank = 0 } = jobs[index] ?? {}
      if (arrivedMs > nowMs) break
      if (rank < (jobs[best]?.rank ?? 0)) best = index
    }
    open.delete(best)
    waits[best] = nowMs - (jobs[best]?.arrivedMs ?? 0)
    free[slot] = nowMs + (jobs[best]?.tookMs ?? 0)
  }
  return waits
}
