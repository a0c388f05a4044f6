/** Whose turn it is at hashing, by a clock that tests move. Each test has a queue of its own. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { HASHING } from '../../../worker/lib/fair-queue.ts'

type FairQueue = typeof import('../../../worker/lib/fair-queue.ts')

/** How long a piece holds the thread. */
const PIECE_MS = 100
/** The rest after a piece, and what looking at the clock every now and then adds. */
const RESTED_MS = PIECE_MS + 2 * HASHING.pollMs

let fairQueue: FairQueue
let order: string[] = []
let tests = 0

beforeEach(async () => {
  tests += 1
  fairQueue = (await import(
    /* @vite-ignore */ `../../../worker/lib/fair-queue.ts?${tests}`
  )) as FairQueue
  order = []
  vi.useFakeTimers()
})

afterEach(() => {
  vi.useRealTimers()
})

/** A piece that is noted in `order`: time passes, and no timer ends meanwhile. */
async function pieceOf(group: string): Promise<void> {
  order.push(group)
  vi.setSystemTime(Date.now() + PIECE_MS)
}

/** Asks for a turn of one piece. */
function ask(group: string, before?: () => Promise<void>): Promise<unknown> {
  return fairQueue.enqueue(group, (runExclusive) => runExclusive(() => pieceOf(group)), before)
}

/** Asks for a turn of some pieces. */
function askForMany(group: string, pieces: number): Promise<unknown> {
  return fairQueue.enqueue(group, async (runExclusive) => {
    for (let piece = 0; piece < pieces; piece += 1) await runExclusive(() => pieceOf(group))
  })
}

/** Has a turn, in the midst of which its caller hangs up: the platform ends the call. */
async function hangUpAtWork(): Promise<void> {
  void fairQueue.enqueue('gone', (runExclusive) => runExclusive(() => new Promise(() => {})))
  await vi.advanceTimersByTimeAsync(0)
}

/** Asks for a turn as a caller who hangs up while it waits: the platform ends its timers. */
function askAndHangUp(group: string): void {
  void ask(group)
  vi.clearAllTimers()
}

test('each group has a turn before any has its second', async () => {
  const all = Promise.all([...Array.from({ length: 3 }, () => ask('many')), ask('one'), ask('two')])
  await vi.runAllTimersAsync()
  await all
  expect(order).toEqual(['many', 'one', 'two', 'many', 'many'])
})

test.each([
  ['at once', (pass: () => void) => pass()],
  // As on the platform, where it stands still while a piece holds the thread.
  ['in the next timer', (pass: () => void) => setTimeout(pass)],
])(
  'after a piece the thread rests for as long as it was held: the clock goes on %s',
  async (_, go) => {
    const begunMs: number[] = []
    void fairQueue.enqueue('one', async (runExclusive) => {
      for (let piece = 0; piece < 3; piece += 1)
        await runExclusive(async () => {
          begunMs.push(Date.now())
          go(() => vi.setSystemTime(Date.now() + PIECE_MS))
        })
    })
    await vi.runAllTimersAsync()
    const [first = 0, second = 0, third = 0] = begunMs
    for (const apart of [second - first, third - second]) {
      expect(apart).toBeGreaterThanOrEqual(2 * PIECE_MS)
      expect(apart).toBeLessThanOrEqual(PIECE_MS + RESTED_MS)
    }
  },
)

test('the work of a turn ends only after the rest: in one piece it takes as long as in many', async () => {
  let isOver = false
  void ask('one').then(() => (isOver = true))
  await vi.advanceTimersByTimeAsync(PIECE_MS - 1)
  expect(isOver).toBe(false)
  await vi.advanceTimersByTimeAsync(RESTED_MS - PIECE_MS + 1)
  expect(isOver).toBe(true)
})

test('a turn that has begun goes on to its end before the next one begins', async () => {
  void askForMany('many', 3)
  void ask('many')
  void askForMany('one', 2)
  await vi.runAllTimersAsync()
  expect(order).toEqual(['many', 'many', 'many', 'one', 'one', 'many'])
})

test('turns of a time when nobody waited do not count', async () => {
  void ask('early')
  await vi.runAllTimersAsync()
  void ask('busy')
  void ask('early')
  void ask('new')
  await vi.runAllTimersAsync()
  expect(order).toEqual(['early', 'busy', 'early', 'new'])
})

test('the limit of waiters is one of each group', async () => {
  void ask('first')
  for (let count = 0; count < HASHING.waiting; count += 1) void ask('crowd')
  await expect(ask('crowd')).rejects.toThrow(fairQueue.TooManyWaiting)
  void ask('single')
  await vi.advanceTimersByTimeAsync(2 * RESTED_MS)
  expect(order).toEqual(['first', 'crowd', 'single'])
})

/** Asks for a turn that a full queue refuses. @returns after how many ms to come again */
async function refusedFor(group: string): Promise<number> {
  const refusal: unknown = await ask(group).catch((error: unknown) => error)
  if (!(refusal instanceof fairQueue.TooManyWaiting)) throw new Error('was not refused')
  return refusal.retryAfterMs
}

test('who is refused is told when: one turn of each group after the one before, at most so long', async () => {
  await Promise.all([ask('single'), vi.runAllTimersAsync()])
  for (const group of ['crowd', 'room'])
    for (let count = 0; count < HASHING.waiting; count += 1) void ask(group)
  await vi.advanceTimersByTimeAsync(0)
  const first = await refusedFor('crowd')
  const turnsMs = first - HASHING.fullMs
  expect(turnsMs).toBeGreaterThanOrEqual(2 * 2 * PIECE_MS)
  expect(turnsMs).toBeLessThanOrEqual(2 * (PIECE_MS + RESTED_MS))
  expect(await refusedFor('crowd')).toBe(first + turnsMs)
  expect(await refusedFor('room')).toBe(first)
  for (let count = 0; count < HASHING.longestMs / turnsMs; count += 1) await refusedFor('crowd')
  expect(await refusedFor('crowd')).toBe(HASHING.longestMs)
})

test('what a turn takes is a mean of all, in which a new one counts for a share, with its rest', async () => {
  const have = (group: string, ms: number, result?: boolean) =>
    Promise.all([
      fairQueue.enqueue(
        group,
        () => new Promise((resolve) => setTimeout(() => resolve(result), ms)),
      ),
      vi.runAllTimersAsync(),
    ])
  await have('one', 1000)
  await have('one', 2000)
  await have('guess', 0, false)
  void fairQueue.enqueue('busy', () => new Promise(() => {}))
  for (let count = 0; count < HASHING.waiting; count += 1) void ask('crowd')
  const mean = 1000 + (2000 - 1000) * HASHING.newestShare
  const withGuess = mean + (HASHING.failureCooldownMs - mean) * HASHING.newestShare
  expect(await refusedFor('crowd')).toBeCloseTo(HASHING.fullMs + 2 * withGuess)
})

test('who asks whether anybody has a turn hears of nobody who hung up', async () => {
  expect(fairQueue.isQueued()).toBe(false)
  await hangUpAtWork()
  expect(fairQueue.isQueued()).toBe(true)
  vi.setSystemTime(Date.now() + HASHING.silentMs + 1)
  expect(fairQueue.isQueued()).toBe(false)
})

test('who hung up is passed over after a while, in the midst of a turn or waiting for one', async () => {
  await hangUpAtWork()
  askAndHangUp('lost')
  void ask('next')
  await vi.advanceTimersByTimeAsync(HASHING.silentMs)
  expect(order).toEqual([])
  await vi.advanceTimersByTimeAsync(HASHING.pollMs)
  expect(order).toEqual(['next'])
})

test('who hung up in a piece leaves no long rest to who comes much later', async () => {
  await hangUpAtWork()
  vi.setSystemTime(Date.now() + 3_600_000)
  void ask('late')
  await vi.advanceTimersByTimeAsync(HASHING.silentMs + HASHING.pollMs)
  expect(order).toEqual(['late'])
})

test('who hung up takes no place among the waiters', async () => {
  await hangUpAtWork()
  for (let count = 0; count < HASHING.waiting; count += 1) askAndHangUp('crowd')
  vi.setSystemTime(Date.now() + HASHING.silentMs)
  await expect(ask('crowd')).rejects.toThrow(fairQueue.TooManyWaiting)
  vi.setSystemTime(Date.now() + 1)
  void ask('crowd')
  await vi.advanceTimersByTimeAsync(0)
  expect(order).toEqual(['crowd'])
})

test('who hung up before its turn or in what comes before it holds up nobody of its group', async () => {
  const never = () => new Promise<void>(() => {})
  for (let count = 0; count < 10; count += 1) void ask('room', never)
  await vi.advanceTimersByTimeAsync(0)
  vi.clearAllTimers()
  const before = vi.fn(() => Promise.resolve())
  void ask('room', before)
  await vi.advanceTimersByTimeAsync(HASHING.silentMs)
  expect(before).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(HASHING.pollMs)
  expect(before).toHaveBeenCalledOnce()
})

test('who has not hung up keeps its place however long what comes before its turn takes', async () => {
  const slow = Promise.withResolvers<void>()
  void ask('room', () => slow.promise)
  const before = vi.fn(() => Promise.resolve())
  void ask('room', before)
  await vi.advanceTimersByTimeAsync(2 * HASHING.lostMs)
  expect(before).not.toHaveBeenCalled()
  slow.resolve()
  await vi.advanceTimersByTimeAsync(HASHING.pollMs)
  expect(before).toHaveBeenCalledOnce()
})

test('what comes before a turn holds up no other group, in it neither', async () => {
  const slow = Promise.withResolvers<void>()
  const other = Promise.withResolvers<void>()
  void ask('first')
  void ask('slow', () => slow.promise)
  void ask('other', () => other.promise)
  other.resolve()
  await vi.advanceTimersByTimeAsync(RESTED_MS)
  expect(order).toEqual(['first', 'other'])
  slow.resolve()
  await vi.runAllTimersAsync()
  expect(order).toEqual(['first', 'other', 'slow'])
})

test('what comes before a turn runs while another of the group has its own', async () => {
  void askForMany('class', 2)
  const before = vi.fn(() => Promise.resolve())
  void ask('class', before)
  await vi.advanceTimersByTimeAsync(HASHING.pollMs)
  expect(before).toHaveBeenCalledOnce()
  expect(order).toEqual(['class'])
})

test('a piece that fails gives the turn up, and the thread rests all the same', async () => {
  const failing = fairQueue.enqueue('one', (runExclusive) =>
    runExclusive(async () => {
      await pieceOf('one')
      throw new Error('no')
    }),
  )
  void ask('two')
  await expect(failing).rejects.toThrow('no')
  await vi.advanceTimersByTimeAsync(PIECE_MS - 1)
  expect(order).toEqual(['one'])
  await vi.advanceTimersByTimeAsync(RESTED_MS - PIECE_MS + 1)
  expect(order).toEqual(['one', 'two'])
})

test('after failed work its group rests for so long', async () => {
  await fairQueue.enqueue('guesser', async () => false)
  void ask('guesser')
  await vi.advanceTimersByTimeAsync(HASHING.failureCooldownMs - 1)
  expect(order).toEqual([])
  await vi.advanceTimersByTimeAsync(1)
  expect(order).toEqual(['guesser'])
})
