/**
 * A search of all states of the judging protocol: two runners, two submissions, every step from every state, on the real
 * queries and the real D1. `tests/README.md` says what is searched.
 */
import { STATUS } from '#contract/verdicts'
import { footprintsOf, type Effect, type Forms } from './footprints.ts'
import { brokenRules, stateRules } from './rules.ts'
import {
  BOTH,
  currentJobs,
  formOf,
  isSecondFirst,
  jobOf,
  partOf,
  readRows,
  rowsOf,
  swapRunners,
  writeRows,
  type Index,
  type Part,
  type Rows,
} from './rows.ts'
import { lateClaim, rowsBefore, stepsFrom, takeStep, type Outcome, type Step } from './steps.ts'
import { callWithoutLease, newWorld, type SearchWorld } from './world.ts'

/** A step's target. `isSwapped`: the runners have changed places. `claimed`: the submission whose job was claimed. */
interface Edge {
  to: Node
  isSwapped: boolean
  claimed: Index | null
}

/** A state, and the first way found to it. Both runners are alike, so it also stands for the state with the runners exchanged. */
interface Node {
  key: string
  forms: Forms
  isSecondFirst: boolean
  from: { node: Node; step: Step; isSwapped: boolean } | null
  edges: Map<string, Edge>
}

/** How many steps run on the database: all, or the first of each footprint and one in this many of the rest. */
type Share = 'each' | number

export class Search {
  private readonly world: SearchWorld
  private readonly nodes = new Map<string, Node>()
  private readonly parts: readonly [Map<string, Part>, Map<string, Part>] = [new Map(), new Map()]
  private readonly swapped: readonly [Map<string, string>, Map<string, string>] = [
    new Map(),
    new Map(),
  ]
  private readonly effects = new Map<string, Effect>()
  private readonly called = new Set<string>()
  private readonly root: Node
  private readonly share: Share
  /** The rows in the database. */
  private present: Rows
  private transitions = 0
  private taken = 0

  private constructor(world: SearchWorld, share: Share) {
    this.world = world
    this.share = share
    this.present = world.base
    this.root = this.nodeOf(
      this.formsOf(world.base),
      isSecondFirst(currentJobs(world, world.base)),
      null,
    ).node
  }

  static async begin(share: Share): Promise<Search> {
    return new Search(await newWorld(), share)
  }

  /** Stores the parts of rows, also with exchanged runners, and answers their forms. */
  private formsOf(rows: Rows): Forms {
    const forms = BOTH.map((index) => {
      const part = partOf(this.world, rows, index)
      const other = swapRunners(this.world, part)
      const [form, otherForm] = [formOf(this.world, part), formOf(this.world, other)]
      for (const [name, kept] of [
        [form, part],
        [otherForm, other],
      ] as const)
        if (!this.parts[index].has(name)) this.parts[index].set(name, kept)
      this.swapped[index].set(form, otherForm).set(otherForm, form)
      return form
    })
    return forms as [string, string]
  }

  private nodeOf(
    forms: Forms,
    isSecond: boolean,
    way: { node: Node; step: Step } | null,
  ): { node: Node; isSwapped: boolean } {
    const other = BOTH.map((index) => this.swapped[index].get(forms[index]) ?? '') as [
      string,
      string,
    ]
    const [key, otherKey] = [
      `${forms.join(' | ')} | ${isSecond}`,
      `${other.join(' | ')} | ${isSecond}`,
    ]
    const isSwapped = otherKey < key
    const name = isSwapped ? otherKey : key
    const node = this.nodes.get(name) ?? {
      key: name,
      forms: isSwapped ? other : forms,
      isSecondFirst: isSecond,
      from: way && { ...way, isSwapped },
      edges: new Map(),
    }
    this.nodes.set(name, node)
    return { node, isSwapped }
  }

  private rowsOf({ forms, isSecondFirst: isSecond }: Node): Rows {
    const [left, right] = BOTH.map((index) => this.parts[index].get(forms[index]))
    if (!left || !right) throw new Error('no part has this form')
    return rowsOf(this.world, [left, right], isSecond)
  }

  /** The steps that lead to a state, with the runners' original numbers, to explain a broken rule. */
  private pathTo(node: Node, last?: Step): string {
    const steps: { step: Step; isSwapped: boolean }[] = last
      ? [{ step: last, isSwapped: false }]
      : []
    for (let at = node; at.from !== null; at = at.from.node)
      steps.unshift({ step: at.from.step, isSwapped: at.from.isSwapped })
    let isOdd = false
    const lines = steps.map(({ step, isSwapped }) => {
      const text = JSON.stringify(
        'runner' in step && isOdd ? { ...step, runner: 1 - step.runner } : step,
      )
      isOdd = isOdd !== isSwapped
      return text
    })
    return ['', ...lines].join('\n  ')
  }

  private demand(broken: string[], node: Node, step?: Step): void {
    if (broken.length === 0) return
    const rules = [...new Set(broken)].join('; ')
    throw new Error(`${rules}: after${this.pathTo(node, step)}\nfrom ${node.key}`)
  }

  /** Writes these rows into the database. */
  private async stand(rows: Rows): Promise<void> {
    await writeRows(this.world, this.present, rows)
    const heardOf = new Map(rows.runners.map((row) => [row.id, row.heartbeat_at]))
    const runners = this.present.runners.map((row) => ({
      ...row,
      heartbeat_at: heardOf.get(row.id) ?? 0,
    }))
    this.present = { ...rows, runners }
  }

  /** Makes the calls that must change nothing, for each judgement and each of its forms once. */
  private async tryCallsInVain(node: Node, rows: Rows, step?: Step): Promise<void> {
    const jobs = currentJobs(this.world, rows)
    for (const row of rows.judgements) {
      const { submission, until, runner, hadBy } = jobOf(this.world, rows, row)
      const isCurrent = jobs.some((job) => job.row.id === row.id)
      const form = [
        submission,
        isCurrent,
        row.state,
        row.status,
        row.attempt,
        row.lease === null,
        until,
        runner,
        hadBy,
      ].join(' ')
      if (this.called.has(form)) continue
      this.called.add(form)
      await this.stand(rows)
      const broken = await callWithoutLease(this.world, jobOf(this.world, rows, row))
      const before = JSON.stringify(this.present)
      this.present = await readRows()
      if (JSON.stringify(this.present) !== before)
        broken.push('a call without the lease changes nothing')
      this.demand(broken, node, step)
    }
  }

  /** Takes a step on the database, and checks the rules. */
  private async take(node: Node, step: Step): Promise<Effect> {
    let after = rowsBefore(this.world, this.rowsOf(node), step)
    let outcome: Outcome = {}
    if (step.kind !== 'leases and rests end') {
      await this.stand(after)
      const before = this.present
      outcome = await takeStep(this.world, before, step)
      after = await readRows()
      this.present = after
      this.taken += 1
      this.demand(brokenRules(this.world, before, step, outcome, after), node, step)
      if (step.kind === 'rejudge') await this.tryCallsInVain(node, after, step)
    }
    const forms = this.formsOf(after)
    const changed = BOTH.map((index) => (forms[index] === node.forms[index] ? null : forms[index]))
    const given = after.judgements.find(({ id }) => id === outcome.claimed?.id)
    return {
      forms: changed as [string | null, string | null],
      isSecondFirst: isSecondFirst(currentJobs(this.world, after)),
      claimed: given ? jobOf(this.world, after, given).submission : null,
    }
  }

  /** The effect of a step, if its footprints are known. */
  private foresee(node: Node, footprints: string[]): Effect | null {
    const [first, second] = footprints.map((footprint) => this.effects.get(footprint))
    if (!first || footprints.length === 1) return first ?? null
    if (!second) return null
    const forms = [first.forms[0], second.forms[1]] as const
    const areOpen = BOTH.every((index) => this.isOpenForm(index, forms[index] ?? node.forms[index]))
    return { forms, isSecondFirst: areOpen && node.isSecondFirst, claimed: null }
  }

  private isOpenForm(index: Index, form: string): boolean {
    return this.parts[index].get(form)?.judgement.finished_at === null
  }

  /** Follows a step to its state, on the database if it must. */
  private async follow(node: Node, step: Step): Promise<Edge> {
    const name = JSON.stringify(step)
    const known = node.edges.get(name)
    if (known) return known
    this.transitions += 1
    const footprints = footprintsOf(
      this.world,
      this.rowsOf(node),
      node.forms,
      node.isSecondFirst,
      step,
    )
    const foreseen = this.foresee(node, footprints)
    const isDue = this.share === 'each' || this.transitions % this.share === 0
    const effect = foreseen && !isDue ? foreseen : await this.take(node, step)
    if (foreseen && JSON.stringify(foreseen) !== JSON.stringify(effect))
      this.demand(['a step looks at no more than its footprint'], node, step)
    for (const footprint of footprints) this.effects.set(footprint, effect)
    const forms = BOTH.map((index) => effect.forms[index] ?? node.forms[index]) as [string, string]
    const { node: to, isSwapped } = this.nodeOf(forms, effect.isSecondFirst, { node, step })
    const edge: Edge = { to, isSwapped, claimed: effect.claimed }
    node.edges.set(name, edge)
    return edge
  }

  /**
   * Takes every step from every state, nearest states first.
   * @param depth the greatest distance of states from which it takes steps
   */
  async explore(depth = Number.POSITIVE_INFINITY) {
    const broken = stateRules(this.world, this.present).filter(([, holds]) => !holds)
    this.demand(
      broken.map(([rule]) => rule),
      this.root,
    )
    let [level, deepest] = [[this.root], 0]
    const seen = new Set(level)
    for (; level.length > 0 && deepest <= depth; deepest += 1) {
      const next: Node[] = []
      for (const node of level) {
        const rows = this.rowsOf(node)
        await this.tryCallsInVain(node, rows)
        for (const step of stepsFrom(this.world, rows)) {
          const { to } = await this.follow(node, step)
          if (!seen.has(to)) next.push(to)
          seen.add(to)
        }
      }
      level = next
    }
    const states = this.nodes.size
    const { transitions, taken } = this
    return { states, transitions, taken, depth: deepest - 1, unseen: level.length }
  }

  private isFinal({ forms }: Node): boolean {
    return BOTH.every((index) => !this.isOpenForm(index, forms[index]))
  }

  /**
   * Both submissions become final by one healthy runner, the clock and the sweeper.
   * @param isAlone whether the other runner is silent; otherwise it lives, but does nothing
   */
  private async heal(start: Node, healthy: Index, isAlone: boolean): Promise<void> {
    let [node, runner] = [start, healthy]
    const go = async (step: Step) => {
      const { to, isSwapped, claimed } = await this.follow(node, step)
      node = to
      if (isSwapped) runner = runner === 0 ? 1 : 0
      return claimed
    }
    for (let round = 0; round < 4 && !this.isFinal(node); round += 1) {
      await go({ kind: 'leases and rests end' })
      await go({ kind: 'sweep' })
      for (;;) {
        const of = await go(lateClaim(this.world, this.rowsOf(node), runner, isAlone))
        if (of === null) break
        await go({ kind: 'result', of, verdict: STATUS.AC })
      }
    }
    if (!this.isFinal(node)) this.demand(['a healthy runner makes every submission final'], start)
  }

  /** Heals every state that was found; answers their number. */
  async healAll(): Promise<number> {
    const states = [...this.nodes.values()]
    for (const node of states)
      for (const isAlone of [true, false])
        for (const runner of BOTH) await this.heal(node, runner, isAlone)
    return states.length
  }
}
