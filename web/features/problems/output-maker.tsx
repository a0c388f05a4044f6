import { Alert, Button, NativeSelect, Textarea } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import {
  languageId as languageIdSchema,
  languageOfId,
  LANGUAGES,
  type LanguageId,
} from '#contract/languages'
import { Announced } from '../../components/announced.tsx'
import { FormError } from '../../components/form-error.tsx'
import type { ProblemValues } from './form-values.ts'
import { makeOutputs, NoOutputError } from './make-outputs.ts'
import classes from './problem-form.module.css'
import { withTyped } from './typed-cases.ts'

/** Why an output could not be made. */
function NoOutput({ error }: { error: NoOutputError }) {
  const { t } = useTranslation()
  const { reason, at } = error
  const what = typeof error.what === 'number' ? t(`verdict.name.${error.what}`) : error.what
  const text =
    at === null
      ? t('makeOutputs.compile')
      : t(`makeOutputs.${reason}`, { subtask: at.subtask, case: at.index, what })
  return (
    <Alert color="red" role="alert">
      {text}
      {reason === 'compile' ? <pre>{what}</pre> : null}
    </Alert>
  )
}

interface OutputMakerProps {
  form: UseFormReturnType<ProblemValues>
  /** Null for a problem that does not exist yet: its limits are not known to the judge. */
  problemId: number | null
}

/** The solution, and how its outputs come into the form. */
function useOutputMaker({ form, problemId }: OutputMakerProps) {
  const [languageId, setLanguageId] = useState<LanguageId>('cpp')
  const [code, setCode] = useState('')
  const [done, setDone] = useState(0)
  const make = useMutation({
    mutationFn: async (id: number) => {
      const cases = form.getValues().subtasks.map(({ typed }) => typed)
      return makeOutputs(id, { language: languageOfId(languageId), code }, cases, setDone)
    },
    onSuccess: (made) => {
      // Cases that were changed meanwhile stay as they are.
      const filled = form.getValues().subtasks.map((subtask, row) =>
        withTyped(
          subtask,
          subtask.typed.map((each, index) => {
            const found = made[row]?.[index]
            return found?.input === each.input ? found : each
          }),
        ),
      )
      form.setFieldValue('subtasks', filled)
    },
  })
  const start = () => {
    if (problemId !== null) make.mutate(problemId)
  }
  return { languageId, setLanguageId, code, setCode, done, make, start }
}

/** Fills the outputs of the typed cases with what a solution prints on a judge host. */
export function OutputMaker(props: OutputMakerProps) {
  const { t } = useTranslation()
  const { languageId, setLanguageId, code, setCode, done, make, start } = useOutputMaker(props)
  const { form, problemId } = props
  const total = form.values.subtasks.reduce((sum, { typed }) => sum + typed.length, 0)
  return (
    <details>
      <summary>{t('makeOutputs.title')}</summary>
      <div className={classes.section}>
        <p>{t(problemId === null ? 'makeOutputs.saveFirst' : 'makeOutputs.help')}</p>
        <NativeSelect
          label={t('makeOutputs.language')}
          value={languageId}
          onChange={({ currentTarget }) =>
            setLanguageId(languageIdSchema.parse(currentTarget.value))
          }
          data={LANGUAGES.map(({ id, label }) => ({ value: id, label }))}
          w="fit-content"
        />
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
        {make.error instanceof NoOutputError ? (
          <NoOutput error={make.error} />
        ) : (
          <FormError error={make.error} />
        )}
        <Announced when={!make.isPending}>
          {make.isPending ? t('makeOutputs.progress', { done, total }) : null}
          {make.isSuccess ? t('makeOutputs.made', { count: total }) : null}
        </Announced>
        <Button
          variant="default"
          w="fit-content"
          loading={make.isPending}
          disabled={problemId === null || code === '' || total === 0}
          onClick={start}
        >
          {t('makeOutputs.button', { count: total })}
        </Button>
      </div>
    </details>
  )
}
