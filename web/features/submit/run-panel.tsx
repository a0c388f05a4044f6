import { Button, CloseButton, Loader, Textarea } from '@mantine/core'
import { IconChevronDown, IconChevronUp, IconPlus } from '@tabler/icons-react'
import { lazy, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { RUNS } from '#contract/limits'
import type { Problem } from '#contract/problems'
import { STATUS } from '#contract/verdicts'
import { ErrorBox } from '../../components/feedback/error-box.tsx'
import { FallbackBoundary } from '../../components/feedback/fallback-boundary.tsx'
import { ApiError } from '../../lib/api/api-error.ts'
import { useOwnInputs, type OwnInputs } from './own-inputs.ts'
import classes from './run-panel.module.css'
import type { SampleRunState } from './use-sample-run.ts'

const loadResults = () => import('./run-results.tsx')
const RunResults = lazy(async () => ({ default: (await loadResults()).RunResults }))

/** One box for an own input. */
function InputBox({ own, index }: { own: OwnInputs; index: number }) {
  const { t } = useTranslation()
  const label = t('run.ownInput', { number: index + 1 })
  return (
    <div className={classes.input}>
      <Textarea
        label={label}
        value={own.inputs[index]}
        onChange={({ currentTarget }) => own.put(index, currentTarget.value)}
        maxLength={RUNS.inputCharacters}
        autosize
        minRows={2}
        maxRows={10}
        spellCheck={false}
        autoCapitalize="off"
        autoCorrect="off"
        classNames={{ input: classes.inputText }}
      />
      {own.inputs.length > 1 ? (
        <CloseButton
          size="sm"
          aria-label={t('run.removeInput', { number: index + 1 })}
          onClick={() => own.remove(index)}
        />
      ) : null}
    </div>
  )
}

/** The state of a run in a sentence. */
function useSummary({ run, isRunning, failed, sampleCount, error }: SampleRunState): string | null {
  const { t } = useTranslation()
  if (error !== null) return null
  if (isRunning) return run?.state === 'running' ? t('run.running') : t('run.queued')
  if (!run) return null
  if (run.state === 'failed') return t('run.failed')
  if (run.status === STATUS.CE || run.status === STATUS.JE) return t(`verdict.name.${run.status}`)
  if (sampleCount === 0) return t('run.done')
  return failed > 0
    ? t('run.someWrong', { failed, count: sampleCount })
    : t('run.allRight', { count: sampleCount })
}

/** The state of the last run, announced when it changes. */
function RunSummary({ sampleRun }: { sampleRun: SampleRunState }) {
  const { t } = useTranslation()
  const { error } = sampleRun
  const summary = useSummary(sampleRun)
  const isGone = error instanceof ApiError && error.code === 'run_not_found'
  return (
    <>
      {sampleRun.isRunning ? <Loader size={16} aria-hidden="true" /> : null}
      <output className={classes.summary}>{isGone ? t('run.gone') : summary}</output>
      {error !== null && !isGone ? <ErrorBox of={{ error }} /> : null}
    </>
  )
}

interface RunPanelProps {
  problem: Problem
  username: string
  /** Called with the own inputs for the next run. */
  onInputs: (inputs: string[]) => void
  sampleRun: SampleRunState
  /** Puts the cursor into a line of the program that the compiler names. */
  onLine: (line: number) => void
}

/** The results, loaded with the first run. */
function LoadedResults(props: Pick<RunPanelProps, 'problem' | 'sampleRun' | 'onLine'>) {
  const { t } = useTranslation()
  const { isRunning, run } = props.sampleRun
  useEffect(() => {
    // Loads the code that shows results while the run is still waiting.
    if (isRunning) loadResults().catch(() => undefined)
  }, [isRunning])
  return run ? (
    <FallbackBoundary fallback={<p>{t('common.wrong')}</p>}>
      <RunResults {...props} />
    </FallbackBoundary>
  ) : null
}

/** Whether the panel is open: from the next run on, until it is closed. */
function usePanel({ isRunning, run, error }: SampleRunState, startsOpen: boolean) {
  const now = isRunning ? 'running' : (run?.runId ?? (error === null ? 'none' : 'failed'))
  const [choice, setChoice] = useState({ at: 'none', isOpen: startsOpen })
  const isOpen = choice.at === now ? choice.isOpen : true
  return { isOpen, toggle: () => setChoice({ at: now, isOpen: !isOpen }) }
}

/** Own inputs, and what the last run printed, at the editor's foot. Loaded apart from the page. */
export function RunPanel({ problem, username, onInputs, sampleRun, onLine }: RunPanelProps) {
  const { t } = useTranslation()
  const own = useOwnInputs(username, problem.problemId)
  // This is read only once, because typing into a box and clearing it must not close the panel.
  const [startsOpen] = useState(() => sampleRun.sampleCount === 0 || own.inputs.some(Boolean))
  const { isOpen, toggle } = usePanel(sampleRun, startsOpen)
  useEffect(() => onInputs(own.inputs), [onInputs, own.inputs])
  return (
    <section className={classes.panel} aria-label={t('run.title')}>
      <div className={classes.head}>
        <RunSummary sampleRun={sampleRun} />
        <Button
          size="compact-sm"
          variant="subtle"
          ml="auto"
          aria-expanded={isOpen}
          aria-controls="run-results"
          onClick={toggle}
          rightSection={
            isOpen ? (
              <IconChevronDown size={16} aria-hidden="true" />
            ) : (
              <IconChevronUp size={16} aria-hidden="true" />
            )
          }
        >
          {t('run.panel')}
        </Button>
      </div>
      <div id="run-results" hidden={!isOpen} className={classes.results}>
        <LoadedResults problem={problem} sampleRun={sampleRun} onLine={onLine} />
        <details className={classes.own} open>
          <summary>{t('run.ownInputs')}</summary>
          {own.inputs.map((_, index) => (
            // Boxes are identified by their position.
            <InputBox key={index} own={own} index={index} />
          ))}
          {own.inputs.length < RUNS.inputs ? (
            <Button
              size="compact-sm"
              variant="default"
              leftSection={<IconPlus size={14} aria-hidden="true" />}
              onClick={own.add}
            >
              {t('run.addInput')}
            </Button>
          ) : null}
        </details>
      </div>
    </section>
  )
}
