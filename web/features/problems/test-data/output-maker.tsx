import { Alert, Button, Group, NativeSelect, Textarea } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { IconFileUpload } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { languageOfFence, languageOfId, LANGUAGES } from '#contract/languages'
import { languageId as languageIdSchema, type LanguageId } from '#contract/languages/codes'
import { SOURCE_LIMIT_BYTES } from '#contract/limits'
import { Announced } from '../../../components/feedback/announced.tsx'
import { FileNotice } from '../../../components/forms/file-notice.tsx'
import { FilePickButton } from '../../../components/forms/file-pick-button.tsx'
import { FormError } from '../../../components/forms/form-error.tsx'
import { useTextFile } from '../../../lib/files/use-text-file.ts'
import type { ProblemValues } from '../edit/form-values.ts'
import { makeOutputs, NoOutputError } from './make-outputs.ts'
import classes from '../edit/problem-form.module.css'
import { withTyped } from './typed-cases.ts'

/** Why an output could not be made. */
function NoOutput({ error }: { error: NoOutputError }) {
  const { t } = useTranslation()
  const { reason, at } = error
  const what = typeof error.what === 'number' ? t(`verdict.name.${error.what}`) : error.what
  const text =
    reason === 'compile'
      ? t('makeOutputs.compile')
      : t(`makeOutputs.${reason}`, { subtask: at?.subtask, case: at?.index, what })
  return (
    <Alert color="red" role="alert">
      {text}
      {reason === 'compile' ? <pre>{what}</pre> : null}
    </Alert>
  )
}

/** The files that the dialog offers. */
const SOURCE_FILES = LANGUAGES.flatMap(({ fileEndings }) =>
  fileEndings.map((ending) => `.${ending}`),
).join(',')

interface OutputMakerProps {
  form: UseFormReturnType<ProblemValues>
  /** Null for a problem that does not exist yet: the judge does not know its limits. */
  problemId: number | null
}

/** The solution, and the call that fills its outputs into the form. */
function useOutputMaker({ form, problemId }: OutputMakerProps) {
  const [languageId, setLanguageId] = useState<LanguageId>('cpp')
  const [code, setCode] = useState('')
  const [done, setDone] = useState(0)
  const stop = useRef<AbortController>(null)
  // Leaving the page stops the work.
  useEffect(() => () => stop.current?.abort(), [])
  const make = useMutation({
    mutationFn: async (id: number) => {
      const { signal } = (stop.current = new AbortController())
      const cases = form.getValues().subtasks.map(({ typed }) => typed)
      const solution = { language: languageOfId(languageId), code }
      const made = await makeOutputs(id, solution, cases, setDone, signal)
      // Cases that were changed meanwhile keep their outputs.
      const count = { filled: 0, changed: 0 }
      const subtasks = form.getValues().subtasks.map((subtask, row) =>
        withTyped(
          subtask,
          subtask.typed.map((each, index) => {
            const found = made[row]?.[index]
            const isSame = found?.input === each.input
            count[isSame ? 'filled' : 'changed'] += 1
            return isSame ? found : each
          }),
        ),
      )
      form.setFieldValue('subtasks', subtasks)
      return count
    },
  })
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    // The pressed cancel button is gone, so the start button takes the focus.
    if (make.isIdle && stop.current) button.current?.focus()
  }, [make.isIdle])
  const file = useTextFile(SOURCE_LIMIT_BYTES)
  const open = async (picked: File) => {
    const text = await file.open(picked)
    if (text === null) return
    setCode(text)
    const told = languageOfFence(picked.name.split('.').at(-1) ?? '')
    if (told) setLanguageId(told.id)
  }
  const start = () => {
    if (problemId !== null) make.mutate(problemId)
  }
  const cancel = () => {
    stop.current?.abort()
    make.reset()
  }
  return { languageId, setLanguageId, code, setCode, file, open, done, make, button, start, cancel }
}

/** The solution: its language, and its text or file. */
function SolutionFields({ maker }: { maker: ReturnType<typeof useOutputMaker> }) {
  const { t } = useTranslation()
  const { languageId, setLanguageId, code, setCode, file, open } = maker
  return (
    <>
      <Group align="flex-end">
        <NativeSelect
          label={t('makeOutputs.language')}
          value={languageId}
          onChange={({ currentTarget }) =>
            setLanguageId(languageIdSchema.parse(currentTarget.value))
          }
          data={LANGUAGES.map(({ id, label }) => ({ value: id, label }))}
        />
        <FilePickButton
          accept={SOURCE_FILES}
          icon={<IconFileUpload size={16} aria-hidden="true" />}
          onPick={(picked) => void open(picked)}
        >
          {t('compareForm.pick')}
        </FilePickButton>
      </Group>
      <FileNotice file={file} namesLineEnds />
      <Textarea
        label={t('makeOutputs.code')}
        value={code}
        onChange={({ currentTarget }) => setCode(currentTarget.value)}
        autosize
        minRows={4}
        maxRows={20}
        spellCheck={false}
        classNames={{ input: 'mono' }}
      />
    </>
  )
}

/** Fills the outputs of the typed cases with what a solution prints on a judge host. */
export function OutputMaker(props: OutputMakerProps) {
  const { t } = useTranslation()
  const maker = useOutputMaker(props)
  const { code, done, make, button, start, cancel } = maker
  const { form, problemId } = props
  const total = form.values.subtasks.reduce((sum, { typed }) => sum + typed.length, 0)
  return (
    <details>
      <summary>{t('makeOutputs.title')}</summary>
      <div className={classes.section}>
        <p>{t(problemId === null ? 'makeOutputs.saveFirst' : 'makeOutputs.help')}</p>
        <SolutionFields maker={maker} />
        {make.error instanceof NoOutputError ? (
          <NoOutput error={make.error} />
        ) : (
          <FormError error={make.error} />
        )}
        <Announced when={!make.isPending}>
          {make.isPending ? t('makeOutputs.progress', { done, total }) : null}
          {make.data ? t('makeOutputs.made', { count: make.data.filled }) : null}
          {make.data?.changed ? ` ${t('makeOutputs.changed', { count: make.data.changed })}` : null}
        </Announced>
        <Group gap="xs">
          <Button
            ref={button}
            variant="default"
            loading={make.isPending}
            disabled={problemId === null || code === '' || total === 0}
            onClick={start}
          >
            {t('makeOutputs.button', { count: total })}
          </Button>
          {make.isPending ? (
            <Button variant="default" onClick={cancel}>
              {t('common.cancel')}
            </Button>
          ) : null}
        </Group>
      </div>
    </details>
  )
}
