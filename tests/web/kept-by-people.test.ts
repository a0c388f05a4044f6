/** What a browser keeps for people: a draft in two tabs, and code that was never submitted; and what it deletes when they leave. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { languageOf } from '#contract/languages'
import { openTabDraft } from '../../web/features/submit/tab-draft.ts'
import {
  dropBelongings,
  isSharedComputer,
  noteSharedComputer,
} from '../../web/lib/session/belongings.ts'
import {
  keepDraft,
  noteSubmitted,
  readDraft,
  readVersions,
  replaceDraft,
} from '../../web/lib/drafts/draft.ts'
import { listUnsubmitted } from '../../web/lib/drafts/unsubmitted.ts'

const ann = { username: 'Ann', problemId: 1 }
const c = languageOf(0)
const python = languageOf(2)

/** A storage whose texts are its own properties, as in a browser. */
function newStorage() {
  return Object.create({
    getItem(key: string) {
      return Object.hasOwn(this, key) ? Reflect.get(this, key) : null
    },
    setItem(key: string, value: string) {
      Reflect.set(this, key, value)
    },
    removeItem(key: string) {
      Reflect.deleteProperty(this, key)
    },
  })
}

beforeEach(() => {
  vi.stubGlobal('localStorage', newStorage())
  vi.stubGlobal('sessionStorage', newStorage())
})
afterEach(() => vi.unstubAllGlobals())

describe('a draft in two tabs', () => {
  /** Two tabs; each makes its calls with its own session storage. */
  function twoTabs() {
    const sessions = [newStorage(), newStorage()]
    const within = <Answer>(tab: number, call: () => Answer) => {
      vi.stubGlobal('sessionStorage', sessions[tab])
      return call()
    }
    const open = (tab: number) => within(tab, () => openTabDraft(ann, c))
    return { within, open }
  }

  it('is overwritten by neither, however often they take turns', () => {
    keepDraft(ann, c, 'begun')
    const { within, open } = twoTabs()
    const [first, second] = [open(0), open(1)]
    for (const turn of [1, 2, 3, 4, 5, 6]) {
      within(0, () => first.keep(`first ${turn}`))
      within(1, () => second.keep(`second ${turn}`))
    }
    expect(readDraft(ann, c)).toBe('first 6')
    expect(readVersions(ann, c)).toEqual(['second 6'])
    expect(second.readOther('second 6')).toBe('first 6')
    expect(first.readOther('first 6')).toBeNull()
  })

  it('is each tab’s own again after a reload', () => {
    const { within, open } = twoTabs()
    const [first, second] = [open(0), open(1)]
    within(0, () => first.keep('first'))
    within(1, () => second.keep('second'))
    const again = open(1)
    expect(within(1, () => again.readOther('second'))).toBe('first')
    within(1, () => again.keep('second, on'))
    expect(readDraft(ann, c)).toBe('first')
    expect(readVersions(ann, c)).toEqual(['second, on'])
  })

  it('becomes the chosen one, and the other stays as a version', () => {
    const { within, open } = twoTabs()
    const [first, second] = [open(0), open(1)]
    within(0, () => first.keep('first'))
    within(1, () => second.keep('second'))
    expect(within(1, () => second.takeOther())).toBe('first')
    expect(readVersions(ann, c)).toEqual(['second'])
    within(1, () => second.keep('first and second'))
    expect(readDraft(ann, c)).toBe('first and second')
    expect(first.readOther('first')).toBe('first and second')
    within(0, () => first.replace('first'))
    expect(readDraft(ann, c)).toBe('first')
    expect(readVersions(ann, c)).toEqual(['second', 'first and second'])
  })

  it('is no other tab’s where storage is full, and what is typed or chosen cannot be kept', () => {
    keepDraft(ann, c, 'begun')
    const tab = openTabDraft(ann, c)
    vi.spyOn(localStorage, 'setItem').mockImplementation(() => {
      throw new DOMException('It is full.', 'QuotaExceededError')
    })
    tab.keep('typed on')
    expect(tab.readOther('typed on')).toBeNull()
    tab.replace('a file')
    expect(tab.readOther('a file')).toBeNull()
  })

  it('goes to whoever types on when the other tab has begun afresh', () => {
    const { within, open } = twoTabs()
    const [first, second] = [open(0), open(1)]
    within(0, () => first.keep('first'))
    within(1, () => second.keep('second'))
    within(0, () => first.replace(''))
    within(1, () => second.keep('second, on'))
    expect(readDraft(ann, c)).toBe('second, on')
    expect(readVersions(ann, c)).toEqual(['first'])
  })
})

describe('code that was never submitted', () => {
  it('is a draft or a version of it, in any language, each text once', () => {
    keepDraft(ann, c, 'tried')
    replaceDraft(ann, c, 'handed in')
    noteSubmitted(ann, c, 'handed in')
    keepDraft(ann, python, 'handed in')
    keepDraft({ ...ann, problemId: 12 }, null, 'no language')
    keepDraft({ ...ann, problemId: 3 }, c, ' \n')
    keepDraft({ ...ann, username: 'Bob' }, c, 'of Bob')
    expect(listUnsubmitted('ANN')).toEqual([
      { problemId: 1, language: c, code: 'tried' },
      { problemId: 12, language: null, code: 'no language' },
    ])
    keepDraft(ann, c, 'handed in, and changed')
    expect(listUnsubmitted('Ann').map(({ code }) => code)).toContain('handed in, and changed')
  })
})

describe('what somebody has left', () => {
  const OF_ANN = [
    'draft:ann:1:c',
    'draft:ann:1:c:versions',
    'run-inputs:ann:1',
    'job:ann:rejudge:4',
    'gradebook-file:ann:A B',
  ]
  const IN_TAB = ['form:ann:/profile', 'outgoing:draft:ann:1:none', 'draft:ann:1:c']
  const OTHERS = ['draft:anna:1:c', 'locale', 'editor-settings']

  function leave() {
    for (const key of [...OF_ANN, ...OTHERS]) localStorage.setItem(key, 'x')
    for (const key of IN_TAB) sessionStorage.setItem(key, 'x')
  }

  it('goes when they sign out, and nothing else', () => {
    leave()
    dropBelongings('Ann')
    expect(Object.keys(localStorage)).toEqual(OTHERS)
    expect(Object.keys(sessionStorage)).toEqual([])
  })

  it('goes when somebody else signs in at a computer that is shared, or was until then', () => {
    noteSharedComputer('Ann', false)
    leave()
    noteSharedComputer('Bob', false)
    expect(Object.keys(localStorage)).toEqual([...OF_ANN, ...OTHERS])
    noteSharedComputer('Ann', true)
    expect(Object.keys(localStorage)).toEqual(expect.arrayContaining(OF_ANN))
    noteSharedComputer('Bob', false)
    expect(Object.keys(localStorage)).toEqual(['locale', 'editor-settings'])
    expect(isSharedComputer()).toBe(false)
  })
})
