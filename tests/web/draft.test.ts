import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { languageOf } from '#contract/languages'
import {
  draftKey,
  dropVersions,
  keepDraft,
  readDraft,
  readVersions,
  replaceDraft,
} from '../../web/lib/drafts/draft.ts'

const ann = { username: 'Ann', problemId: 1 }
const c = languageOf(0)

beforeEach(() => {
  const stored = new Map<string, string>()
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
    removeItem: (key: string) => stored.delete(key),
  })
})
afterEach(() => vi.unstubAllGlobals())

it('a draft is one per user, problem and language, whatever the case of the name [BR3]', () => {
  const [inC, inCpp] = [{ id: 'c' }, { id: 'cpp' }] as const
  expect(draftKey(ann, inC)).toBe('draft:ann:1:c')
  expect(draftKey({ ...ann, username: 'ANN' }, inC)).toBe(draftKey(ann, inC))
  const keys = [
    draftKey(ann, inC),
    draftKey({ ...ann, username: 'ann1' }, inC),
    draftKey({ ...ann, problemId: 11 }, inC),
    draftKey(ann, inCpp),
    draftKey(ann, null),
  ]
  expect(new Set(keys).size).toBe(5)
})

it('code that takes the place of a draft keeps it as another version, in turns', () => {
  keepDraft(ann, c, 'mine')
  replaceDraft(ann, c, 'handed in')
  expect([readDraft(ann, c), readVersions(ann, c)]).toEqual(['handed in', ['mine']])
  keepDraft(ann, c, 'changed since')
  replaceDraft(ann, c, 'older')
  expect(readVersions(ann, c)).toEqual(['mine', 'changed since'])
  replaceDraft(ann, c, 'mine')
  expect([readDraft(ann, c), readVersions(ann, c)]).toEqual(['mine', ['changed since', 'older']])
  dropVersions(ann, c)
  expect([readDraft(ann, c), readVersions(ann, c)]).toEqual(['mine', []])
})

it('of five other versions the oldest is dropped, of four none', () => {
  for (const code of ['1', '2', '3', '4', '5']) replaceDraft(ann, c, code)
  expect(readVersions(ann, c)).toEqual(['1', '2', '3', '4'])
  replaceDraft(ann, c, '6')
  expect(readVersions(ann, c)).toEqual(['2', '3', '4', '5'])
})

it('the same code again, or in the place of none, keeps no version', () => {
  replaceDraft(ann, c, 'same')
  replaceDraft(ann, c, 'same')
  expect([readDraft(ann, c), readVersions(ann, c)]).toEqual(['same', []])
})

it('code typed before a language was chosen is not lost', () => {
  keepDraft(ann, null, 'typed')
  replaceDraft(ann, c, 'handed in')
  expect([readDraft(ann, null), readVersions(ann, c)]).toEqual([null, ['typed']])
})

it('versions that another program has damaged count as none', () => {
  localStorage.setItem(`${draftKey(ann, c)}:versions`, '{')
  expect(readVersions(ann, c)).toEqual([])
})
