/** Own inputs for sample runs, kept per person and problem in this browser. */
import { useState } from 'react'
import * as z from 'zod'
import { RUNS } from '#contract/limits'
import { parseJson } from '../../lib/api/parse-json.ts'
import { readStored, removeStored, writeStored } from '../../lib/storage.ts'

const kept = z.array(z.string()).min(1).max(RUNS.inputs)

/** The inputs, at least one box, and how to change them. */
export function useOwnInputs(username: string, problemId: number) {
  const key = `run-inputs:${username.toLowerCase()}:${problemId}`
  const [inputs, setInputs] = useState(() => {
    const stored = kept.safeParse(parseJson(readStored(key) ?? ''))
    return stored.data ?? ['']
  })
  function change(next: string[]) {
    setInputs(next)
    if (next.every((input) => input === '')) removeStored(key)
    else writeStored(key, JSON.stringify(next))
  }
  return {
    inputs,
    put: (index: number, text: string) => change(inputs.with(index, text)),
    add: () => change([...inputs, '']),
    remove: (index: number) => change(inputs.toSpliced(index, 1)),
  }
}
export type OwnInputs = ReturnType<typeof useOwnInputs>
