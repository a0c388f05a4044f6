import { Alert, Title } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useCallback, useRef, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { problemForm, type ProblemFormInput } from '#contract/problems'
import { CheckedForm } from '../../components/checked-form.tsx'
import { FormButtons } from '../../components/form-buttons.tsx'
import { KeptNotice } from '../../components/kept-notice.tsx'
import { SaveError } from '../../components/save-error.tsx'
import { ApiError } from '../../lib/api-error.ts'
import { useSchemaValidation } from '../../lib/field-text.ts'
import { useKeptForm } from '../../lib/kept-form.ts'
import { BasicFields } from './basic-fields.tsx'
import { CompareFields } from './compare-fields.tsx'
import { FieldErrorList } from './field-error-list.tsx'
import { toForm, withCaseCounts, type ProblemValues } from './form-values.ts'
import classes from './problem-form.module.css'
import { SampleFields } from './sample-fields.tsx'
import { StatementFields } from './statement-fields.tsx'
import { SubtaskFields } from './subtask-fields.tsx'
import { TestDataField } from './test-data-field.tsx'
import { UploadProgress } from './upload-progress.tsx'
import { useProblemSave, type ProblemSave } from './use-problem-save.ts'

interface ProblemFormProps {
  /** Null for one that does not exist yet. */
  problemId: number | null
  initial: ProblemValues
  /** Whether it has test data already. */
  hasTestData: boolean
  cancelTo: string
  /** Creates or modifies the problem, and returns its id. `overwrite`: even if somebody else has saved since. */
  store: (form: ProblemFormInput, overwrite: boolean) => Promise<number>
  onDone: (problemId: number) => Promise<void>
}

/** The form, the picked zip, and the way to save both. */
function useProblemForm({ initial, store, onDone }: ProblemFormProps) {
  const [zip, setZip] = useState<File | null>(null)
  const done = useRef(false)
  const form = useForm<ProblemValues>({
    initialValues: initial,
    validate: useSchemaValidation<ProblemValues>(problemForm, toForm),
  })
  const save = useProblemSave(store, async (problemId) => {
    done.current = true
    await onDone(problemId)
  })
  const { state } = save
  const dirty = form.isDirty() || zip !== null
  // A stored form need not be kept; a reload loses the zip, and with it the counts it determined.
  const isStored = state.phase === 'cancelled' || (state.phase === 'failed' && state.stored)
  const kept = useKeptForm(
    form,
    useCallback(() => dirty && !done.current, [dirty]),
    () => {
      if (isStored) return null
      return zip === null ? form.getValues() : { ...form.getValues(), subtasks: initial.subtasks }
    },
  )

  function pickZip(file: File | null, caseCounts: number[] | null) {
    setZip(file)
    if (caseCounts !== null)
      form.setFieldValue('subtasks', withCaseCounts(form.values.subtasks, caseCounts))
  }

  return { form, zip, pickZip, save, isStored, kept }
}

function FormSection({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className={`app-card ${classes.section}`}>
      <Title order={2}>{title}</Title>
      {children}
    </section>
  )
}

interface SaveOutcomeProps {
  save: ProblemSave
  hasFieldErrors: boolean
  /** The form is saved, the zip is not. */
  isStored: boolean
  storedAt: string
  onOverwrite: () => void
}

/** The progress of saving, or why it failed. */
function SaveOutcome({ save, hasFieldErrors, isStored, storedAt, onOverwrite }: SaveOutcomeProps) {
  const { t } = useTranslation()
  const { state } = save
  return (
    <>
      {hasFieldErrors ? <Alert color="red">{t('problemForm.lookAgain')}</Alert> : null}
      {state.phase === 'uploading' ? <UploadProgress {...state} onCancel={save.cancel} /> : null}
      {state.phase === 'failed' ? (
        <SaveError error={state.error} storedAt={storedAt} onOverwrite={onOverwrite} />
      ) : null}
      {isStored ? <Alert color="yellow">{t('problemForm.storedWithoutZip')}</Alert> : null}
      {state.phase === 'failed' && state.error instanceof ApiError ? (
        <FieldErrorList errors={state.error.fieldErrors} />
      ) : null}
    </>
  )
}

/** The form of new and edited problems, with the upload of the test data. */
export function ProblemForm(props: ProblemFormProps) {
  const { problemId, hasTestData, cancelTo } = props
  const { t } = useTranslation()
  const { form, zip, pickZip, save, isStored, kept } = useProblemForm(props)
  return (
    <CheckedForm
      form={form}
      onSend={(values) => void save.start(toForm(values), zip, false)}
      gap="lg"
    >
      <KeptNotice kept={kept} />
      <FormSection title={t('problemForm.basics')}>
        <BasicFields form={form} />
      </FormSection>
      <FormSection title={t('problemForm.statement')}>
        <StatementFields form={form} />
      </FormSection>
      <FormSection title={t('problem.samples')}>
        <SampleFields form={form} />
      </FormSection>
      <FormSection title={t('problemForm.testData')}>
        <TestDataField
          problemId={problemId}
          hasTestData={hasTestData}
          caseCounts={form.values.subtasks.map(({ caseCount }) => caseCount)}
          file={zip}
          onPick={pickZip}
        />
        <SubtaskFields form={form} counted={zip !== null} />
      </FormSection>
      <FormSection title={t('compare.title')}>
        <CompareFields form={form} />
      </FormSection>
      <SaveOutcome
        save={save}
        hasFieldErrors={Object.keys(form.errors).length > 0}
        isStored={isStored}
        storedAt={cancelTo}
        onOverwrite={() => void save.start(toForm(form.values), zip, true)}
      />
      <FormButtons
        isSending={save.state.phase === 'saving' || save.state.phase === 'uploading'}
        cancelTo={cancelTo}
      />
    </CheckedForm>
  )
}
