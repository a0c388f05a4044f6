/** Rules that hold in every state and at every step of the judging protocol, for the search of its states. */
import { JUDGING } from '#contract/limits'
import { STATUS } from '#contract/verdicts'
import { BOTH, jobOf, type Index, type Job, type Rows, type World } from './rows.ts'
import { SLOTS, type Outcome, type Step } from './steps.ts'

type Held = [rule: string, holds: boolean]

const isSame = (left: unknown, right: unknown) => JSON.stringify(left) === JSON.stringify(right)

/** The columns in which a row has changed. */
function changedIn(before: object, after: object | undefined): string[] {
  return Object.entries(before)
    .filter(([name, value]) => !after || !isSame(value, Reflect.get(after, name)))
    .map(([name]) => name)
}

const onlyIn = (columns: string[], allowed: string[]) =>
  columns.every((column) => allowed.includes(column))

function judgementRules(job: Job): Held[] {
  const { row, hadBy } = job
  const hasLease = row.lease !== null && row.runner_id !== null
  const forms: Record<string, boolean> = {
    queued: row.status === STATUS.PENDING && row.lease === null && row.runner_id === null,
    leased: row.status === STATUS.PENDING && hasLease,
    done: row.status >= 0 && row.lease !== null && row.lease_until === null,
    failed: row.status === STATUS.JE && row.lease === null && row.lease_until === null,
    superseded: row.status === STATUS.PENDING && row.lease_until === null,
  }
  return [
    ['a judgement has the status and the lease of its state', forms[row.state] === true],
    ['a judgement is open or over', job.isOpen === ['queued', 'leased'].includes(row.state)],
    ['attempts never exceed the most', row.attempt >= 0 && row.attempt <= JUDGING.maxAttempts],
    [
      'hand-backs end with the result',
      !['done', 'failed'].includes(row.state) || !hadBy.some(Boolean),
    ],
  ]
}

/** The summary of a person with one submission, counted anew. */
function summaryOf(row: Rows['submissions'][number]) {
  const isFinal = row.status >= 0
  const score = isFinal && row.status !== STATUS.JE ? row.score : null
  const best = row.status === STATUS.AC ? row.id : null
  return {
    tries: 1,
    scored: score === null ? 0 : 1,
    score_sum: score ?? 0,
    best_score: score,
    worst_score: score,
    status_counts: JSON.stringify(
      Array.from({ length: 8 }, (_, status) => Number(row.status === status)),
    ),
    fastest_id: best,
    leanest_id: best,
    quota_uses: row.quota_used,
    attempts: JSON.stringify({ [row.id]: [row['accepted_at'], row.status, row.score] }),
  }
}

function submissionRules(world: World, rows: Rows, index: Index): Held[] {
  const row = rows.submissions.find(({ id }) => id === world.submissionIds[index])
  const current = rows.judgements.find(({ id }) => id === row?.judgement_id)
  if (!row || !current) return [['a submission has a judgement', false]]
  const open = rows.judgements.filter(
    (judgement) => judgement.submission_id === row.id && judgement.finished_at === null,
  )
  const shown = ['status', 'score', 'run_time_ms', 'memory_kb']
  const summary = rows.results.find((result) => result.user_id === row.user_id) ?? {}
  const isPending = row.status === STATUS.PENDING
  return [
    ['the judgement is of its submission', current.submission_id === row.id],
    [
      'a submission shows its current judgement',
      shown.every((name) => row[name] === current[name]),
    ],
    [
      'only the current judgement of a pending submission is open',
      isSame(
        open.map(({ id }) => id),
        isPending ? [current.id] : [],
      ),
    ],
    [
      'the summary is what counting gives',
      Object.entries(summaryOf(row)).every(([name, value]) =>
        isSame(Reflect.get(summary, name), value),
      ),
    ],
  ]
}

/** The rules about a state. */
export function stateRules(world: World, rows: Rows): Held[] {
  return [
    ...rows.judgements.flatMap((row) => judgementRules(jobOf(world, rows, row))),
    ...BOTH.flatMap((index) => submissionRules(world, rows, index)),
  ]
}

/** A judgement before and after a step that may change it. */
interface Change {
  before: Job
  after: Job
  changed: string[]
}

const LEASED = [
  'lease',
  'lease_until',
  'runner_id',
  'attempt',
  'state',
  'phase',
  'claimed_at',
  'hold_until',
  'plan',
  'reason',
  'cases_done',
  'cases_total',
  'test_data_version',
]

/** Whether a runner may claim a job: it is free, and the runner has not just handed it back or let its lease end. */
function mayTake(
  { before: { row, until, hadBy, runner: holder, submission } }: Change,
  step: Claim,
): boolean {
  const isFree = until !== 'runs' && row.attempt < JUDGING.maxAttempts
  const isAvoided = hadBy[step.runner] && !step.rested.includes(submission)
  return isFree && !isAvoided && !(until === 'over' && holder === step.runner)
}
type Claim = Extract<Step, { kind: 'claim' }>

function claimRules(changes: Change[], step: Claim, { claimed }: Outcome): Held[] {
  const { runner } = step
  const other = runner === 0 ? 1 : 0
  const open = changes.filter(({ before }) => before.isOpen)
  const heldBefore = open.filter(
    ({ before }) => before.runner === runner && before.until === 'runs',
  )
  const inOrder = open.toSorted((left, right) =>
    left.before.row.rank === right.before.row.rank
      ? left.before.row.id < right.before.row.id
        ? -1
        : 1
      : left.before.row.rank - right.before.row.rank,
  )
  const best =
    heldBefore.length < SLOTS ? inOrder.find((change) => mayTake(change, step)) : undefined
  const taken = changes.find(({ before }) => before.row.id === claimed?.id)
  const rules: Held[] = [
    [
      'a claim gives the first job that the runner may take, and none beyond its slots',
      taken === best,
    ],
    ['a job that is given can be judged', claimed?.isUnjudgeable !== true],
  ]
  for (const { before, after, changed } of open) {
    if (before.row.id === claimed?.id) {
      // One host alone cannot use up the attempts while another living host has not had the job.
      const counts = !after.hadBy[runner] || step.isAlone || after.hadBy[other]
      rules.push(
        [
          'a claimed job is the runner’s by the new lease',
          after.runner === runner && after.until === 'runs' && after.row.lease === claimed.lease,
        ],
        [
          'an attempt counts as the rules say',
          after.row.attempt === before.row.attempt + Number(counts),
        ],
        ['a claim changes no more than the lease', onlyIn(changed, LEASED)],
      )
    } else {
      const isLost = before.until === 'over'
      rules.push(
        ['a claim leaves other jobs alone', onlyIn(changed, isLost ? ['lease_until'] : [])],
        ['a lease that is over is free', after.until === (isLost ? 'none' : before.until)],
      )
    }
    const lost = before.until === 'over' ? before.runner : null
    rules.push([
      'a lost lease is a hand-back, nothing else is',
      BOTH.every((index) => after.hadBy[index] === (before.hadBy[index] || lost === index)),
    ])
  }
  return rules
}

function heartbeatRules(
  changes: Change[],
  step: Extract<Step, { kind: 'heartbeat' }>,
  { ids = [] }: Outcome,
): Held[] {
  return changes
    .filter(({ before }) => before.isOpen)
    .flatMap(({ before, after, changed }): Held[] => {
      const isOwn = before.runner === step.runner
      const isNamed = isOwn && step.names.includes(before.submission)
      const isEnded = isOwn && !isNamed && step.started
      return [
        [
          'a heartbeat changes only its own leases',
          onlyIn(changed, isNamed ? ['lease_until'] : isEnded ? ['lease_until', 'ticket_at'] : []),
        ],
        [
          'a lease that is named goes on, one that is not ends with its process',
          after.until === (isNamed ? 'runs' : isEnded ? 'over' : before.until),
        ],
        ['what ends gets a ticket', ids.includes(before.row.id) === isEnded],
        ['a heartbeat is no hand-back', isSame(before.hadBy, after.hadBy)],
      ]
    })
}

function resultRules(
  changes: Change[],
  step: Extract<Step, { kind: 'result' }>,
  { isAccepted }: Outcome,
): Held[] {
  return changes
    .filter(({ before }) => before.isOpen)
    .flatMap(({ before, after, changed }): Held[] =>
      before.submission === step.of
        ? [
            ['a result with the present lease is taken', isAccepted === true],
            [
              'it is stored as it was told',
              after.row.state === 'done' && after.row.status === step.verdict,
            ],
            [
              'it leaves lease, attempt and host as they are',
              !changed.some((name) => ['lease', 'attempt', 'runner_id'].includes(name)),
            ],
          ]
        : [
            [
              'a result changes no other job',
              changed.length === 0 && isSame(before.hadBy, after.hadBy),
            ],
          ],
    )
}

function releaseRules(
  changes: Change[],
  step: Extract<Step, { kind: 'release' }>,
  { isAccepted }: Outcome,
): Held[] {
  const isJobs = step.why === 'fault of the job'
  return changes
    .filter(({ before }) => before.isOpen)
    .flatMap(({ before, after, changed }): Held[] => {
      const { attempt } = before.row
      const rests = isJobs && attempt < JUDGING.maxAttempts
      return before.submission === step.of
        ? [
            [
              'a job is given back with the present lease',
              isAccepted === true && after.row.state === 'queued',
            ],
            [
              // An attempt that did not count is subtracted, too: a job may get more attempts, never fewer.
              'an attempt is kept only where the job is the trouble',
              after.row.attempt === (isJobs ? attempt : Math.max(0, attempt - 1)),
            ],
            [
              'only a job that is the trouble itself rests',
              after.until === (rests ? 'runs' : 'none'),
            ],
            ['it goes behind those given back less often', after.row.rank === before.row.rank + 1],
            [
              'it is a hand-back of that host',
              BOTH.every(
                (index) => after.hadBy[index] === (before.hadBy[index] || before.runner === index),
              ),
            ],
          ]
        : [
            [
              'a release changes no other job',
              changed.length === 0 && isSame(before.hadBy, after.hadBy),
            ],
          ]
    })
}

function sweepRules(changes: Change[], { ids = [] }: Outcome): Held[] {
  return changes
    .filter(({ before }) => before.isOpen)
    .flatMap(({ before, after, changed }): Held[] => {
      const isLost = before.row.attempt >= JUDGING.maxAttempts && before.until !== 'runs'
      const waits = !isLost && before.until !== 'runs'
      return [
        [
          'the sweeper ends jobs without an attempt left that nobody has, and no other',
          (after.row.state === 'failed') === isLost,
        ],
        ['it leaves other jobs alone', isLost || onlyIn(changed, ['ticket_at'])],
        ['what waits gets a ticket', ids.includes(before.row.id) === waits],
      ]
    })
}

function rejudgeRules(
  changes: Change[],
  added: Job[],
  step: Extract<Step, { kind: 'rejudge' }>,
): Held[] {
  const [fresh] = added
  return [
    [
      'a rejudge makes one judgement, which begins anew',
      added.length === 1 &&
        fresh?.submission === step.of &&
        fresh.row.state === 'queued' &&
        fresh.row.attempt === 0 &&
        fresh.until === 'none',
    ],
    ...changes
      .filter(({ before }) => before.isOpen)
      .flatMap(({ before, after, changed }): Held[] =>
        before.submission === step.of
          ? [
              [
                'the judgement before it is superseded',
                after.row.state === 'superseded' &&
                  onlyIn(changed, ['state', 'finished_at', 'lease_until']),
              ],
            ]
          : [['a rejudge changes no other job', changed.length === 0]],
      ),
  ]
}

function ownRules(changes: Change[], added: Job[], step: Step, outcome: Outcome): Held[] {
  switch (step.kind) {
    case 'claim':
      return claimRules(changes, step, outcome)
    case 'heartbeat':
      return heartbeatRules(changes, step, outcome)
    case 'result':
      return resultRules(changes, step, outcome)
    case 'release':
      return releaseRules(changes, step, outcome)
    case 'sweep':
      return sweepRules(changes, outcome)
    case 'rejudge':
      return rejudgeRules(changes, added, step)
    default:
      return []
  }
}

/** The rules about every step: finished judgements do not change, and only a rejudge changes a verdict. */
function stepRules(before: Rows, after: Rows, changes: Change[], step: Step): Held[] {
  const verdicts = before.submissions.flatMap((row): Held[] => {
    const now = after.submissions.find(({ id }) => id === row.id)
    const isRejudged = step.kind === 'rejudge' && now?.judgement_id !== row.judgement_id
    const isReturned = now?.status === STATUS.JE
    return [
      [
        'a final verdict changes by a rejudge alone',
        row.status < 0 || isRejudged || isSame(row, now),
      ],
      [
        'the quota is given back for a Judge Error, else never',
        now?.quota_used === (isReturned ? 0 : row.quota_used),
      ],
      [
        'only a rejudge names another judgement',
        isRejudged || now?.judgement_id === row.judgement_id,
      ],
    ]
  })
  const counted = (rows: Rows) =>
    rows.runners
      .flatMap((row): number[] => JSON.parse(row.verdict_counts))
      .reduce((sum, count) => sum + count, 0)
  return [
    ['no judgement goes away', changes.length === before.judgements.length],
    [
      'a judgement that is over stays as it is',
      changes.every(({ before: job, changed }) => job.isOpen || changed.length === 0),
    ],
    ...verdicts,
    [
      'a result counts once for its host',
      counted(after) - counted(before) === Number(step.kind === 'result'),
    ],
  ]
}

/** The rules that a step has broken. */
export function brokenRules(
  world: World,
  before: Rows,
  step: Step,
  outcome: Outcome,
  after: Rows,
): string[] {
  const changes = before.judgements.flatMap((row): Change[] => {
    const next = after.judgements.find(({ id }) => id === row.id)
    if (!next) return []
    return [
      {
        before: jobOf(world, before, row),
        after: jobOf(world, after, next),
        changed: changedIn(row, next),
      },
    ]
  })
  const added = after.judgements
    .filter(({ id }) => !before.judgements.some((row) => row.id === id))
    .map((row) => jobOf(world, after, row))
  const rules = [
    ...stateRules(world, after),
    ...stepRules(before, after, changes, step),
    ...ownRules(changes, added, step, outcome),
  ]
  return rules.filter(([, holds]) => !holds).map(([rule]) => rule)
}
