/** Trying a program on samples and submitting it. */
import { useCallback, useEffect, useRef, useState } from 'react'
import type { Problem } from '#contract/problems'
import { useProgram } from './use-program.ts'
import { useSampleRun } from './use-sample-run.ts'
import { useSubmission } from './use-submission.ts'

/** The program, its runs and its submission. Ctrl+' runs the program, wherever the focus is. */
export function useHandIn(problem: Problem, username: string) {
  const program = useProgram(problem, username)
  const { submission, sending } = useSubmission(problem, username)
  /** Own inputs as the run panel has them. */
  const ownInputs = useRef<string[]>([])
  const setOwnInputs = useCallback((inputs: string[]) => {
    ownInputs.current = inputs
  }, [])
  const sampleRun = useSampleRun(problem)
  const [isWarned, setIsWarned] = useState(false)
  const { language, code } = program
  /** Whether the user was warned that this very program fails samples. */
  const warns = isWarned && language !== null && sampleRun.warnsOf({ language, text: code.read() })
  /** Programs that talk with an interactor run only when submitted. */
  const canRun = problem.compare.mode !== 'interactor'

  function send() {
    const taken = program.take()
    if (taken === null || submission.isPending) return
    // The next press submits despite the warning.
    if (sampleRun.warnsOf(taken) && !warns) return setIsWarned(true)
    if (program.isOther) program.settle('mine')
    submission.mutate(taken)
  }

  function run() {
    const taken = program.take()
    setIsWarned(false)
    if (taken !== null) sampleRun.start(taken, ownInputs.current)
  }

  function noteTyped(read: () => string) {
    program.noteTyped(read)
    setIsWarned(false)
  }

  useEffect(() => {
    function onKeyDown(event: KeyboardEvent) {
      // Compares the character, because its key differs between keyboards.
      if (event.key !== "'" || !(event.ctrlKey || event.metaKey) || event.repeat || !canRun) return
      event.preventDefault()
      run()
    }
    window.addEventListener('keydown', onKeyDown)
    return () => window.removeEventListener('keydown', onKeyDown)
  })

  return {
    program,
    submission,
    sending,
    setOwnInputs,
    sampleRun,
    warns,
    canRun,
    send,
    run,
    noteTyped,
  }
}
export type HandIn = ReturnType<typeof useHandIn>
