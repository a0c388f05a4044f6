import { Alert } from '@mantine/core'
import { useForm, type UseFormReturnType } from '@mantine/form'
import { useCallback, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ProblemFile } from '#contract/problems/problem-files'
import { PROBLEM_STATUS, problemForm, type ProblemFormInput } from '#contract/problems'
import { CheckedForm } from '../../../components/forms/checked-form.tsx'
import { FormButtons } from '../../../components/forms/form-buttons.tsx'
import { KeptNotice } from '../../../components/forms/kept-notice.tsx'
import { SaveError } from '../../../components/forms/save-error.tsx'
import { ApiError, isRefusal } from '../../../lib/api/api-error.ts'
import { useSchemaValidation } from '../../../lib/api/field-text.ts'
import { useKeptForm } from '../../../lib/drafts/kept-form.ts'
import { BasicFields } from './basic-fields.tsx'
import { CompareFields } from './compare-fields.tsx'
import { FieldErrorList } from './field-error-list.tsx'
import { FormOutline, FormSection } from './form-outline.tsx'
import { toForm, type ProblemValues } from './form-values.ts'
import { withoutFiles, withStoredFile } from './held-texts.ts'
import classes from './problem-form.module.css'
import { RevealQuestion } from './reveal-question.tsx'
import { SampleFields } from './sample-fields.tsx'
import { NewStatementFields, StatementFields } from './statement-fields.tsx'
import { SubtaskFields } from './subtask-fields.tsx'
import { withZipSubtasks, type ZipSubtasks } from './subtask-values.ts'
import { TestDataSection } from '../test-data/test-data-section.tsx'
import { hasEmptyTyped } from '../test-data/typed-cases.ts'
import { UploadProgress } from '../upload/upload-progress.tsx'
import type { OnZip } from '../zip/use-picked-zip.ts'
import { useHeldFiles, type HeldFiles } from './use-held-files.ts'
import { useProblemSave, type ProblemSave } from './use-problem-save.ts'

interface ProblemFormProps {
  /** Null for a problem that does not exist yet. */
  problemId: number | null
  initial: ProblemValues
  /** Whether the problem has test data already. */
  hasTestData: boolean
  /** The statement's files. */
  files: ProblemFile[]
  cancelTo: string
  /**
   * Creates or modifies the problem, and returns its id. `overwrite`: saves even if another person has saved since the
   * form was opened.
   */
  store: (form: ProblemFormInput, overwrite: boolean) => Promise<number>
  onDone: (problemId: number) => Promise<void>
}

/** The zip to upload: of the typed cases, or the picked one. */
async function zipOf(values: ProblemValues, picked: File | null): Promise<File | null> {
  if (!values.typesCases) return picked
  const { packTyped } = await import('../test-data/typed-cases-zip.ts')
  return packTyped(values.subtasks)
}

type Form = UseFormReturnType<ProblemValues>

/** What is kept of the form for a reload: not the held files, nor the zip and the case counts that come from it. */
function toKeep(values: ProblemValues, held: HeldFiles, subtasks: ProblemValues['subtasks']) {
  return { ...values, ...withoutFiles(values, held.heldIds), subtasks }
}

/** Splits what is stored into two steps, so that a problem is hidden until its images are stored. */
function inSteps(
  held: HeldFiles,
  form: Form,
  wire: ProblemFormInput,
  store: ProblemFormProps['store'],
): { first: ProblemFormInput; storeRest: (problemId: number) => Promise<void> } {
  if (!held.isPending) return { first: wire, storeRest: () => Promise.resolve() }
  return {
    first: { ...wire, status: PROBLEM_STATUS.HIDDEN },
    async storeRest(problemId) {
      await held.store(problemId, (heldId, fileId) =>
        form.setValues(withStoredFile(form.getValues(), heldId, fileId)),
      )
      await store({ ...wire, description: toForm(form.getValues()).description }, true)
      held.settle()
    },
  }
}

/** The picked zip, which says how many cases the subtasks have. @param onPick called before the form changes */
function useFormZip(form: Form, onPick: () => void) {
  const [zip, setZip] = useState<File | null>(null)
  const lastZipSubtasks = useRef<ZipSubtasks>(null)

  const pickZip: OnZip = (file, found) => {
    setZip(file)
    onPick()
    if (found === null) return
    form.setFieldValue(
      'subtasks',
      withZipSubtasks(form.getValues().subtasks, found, lastZipSubtasks.current),
    )
    lastZipSubtasks.current = found
  }

  return { zip, pickZip }
}

/** The form, its files, the picked zip, and the way to save all of them. */
function useProblemForm({ initial, store, onDone }: ProblemFormProps) {
  const { t } = useTranslation()
  const validate = useSchemaValidation<ProblemValues>(problemForm, toForm)
  const held = useHeldFiles()
  const done = useRef(false)
  /** Whether students may see the cases that the last save asked about; false again after any change. */
  const mayReveal = useRef(false)
  const form = useForm<ProblemValues>({
    initialValues: initial,
    onValuesChange: () => {
      mayReveal.current = false
    },
    validate: (values) => ({
      ...validate(values),
      ...(hasEmptyTyped(values) && { subtasks: t('typedCases.empty') }),
    }),
  })
  const { zip, pickZip } = useFormZip(form, () => {
    mayReveal.current = false
  })
  const save = useProblemSave(store, async (problemId) => {
    done.current = true
    await onDone(problemId)
  })
  const { state } = save
  const dirty = form.isDirty() || zip !== null || held.isPending
  // A form that is stored need not be kept.
  const isStored = state.phase === 'cancelled' || (state.phase === 'failed' && state.stored)
  const kept = useKeptForm(
    form,
    useCallback(() => dirty && !done.current, [dirty]),
    () => {
      const values = form.getValues()
      return isStored ? null : toKeep(values, held, (zip ? initial : values).subtasks)
    },
  )

  function send(values: ProblemValues, overwrite: boolean) {
    const awaitsTestData = values.typesCases || zip !== null
    const wire = { ...toForm(values), revealTests: mayReveal.current, awaitsTestData }
    const { first, storeRest } = inSteps(held, form, wire, store)
    const finish = async (problemId: number) => {
      await storeRest(problemId)
      return zipOf(form.getValues(), zip)
    }
    void save.start(first, finish, overwrite)
  }

  function reveal() {
    mayReveal.current = true
    send(form.getValues(), false)
  }

  return { form, held, hasZip: zip !== null, pickZip, save, send, reveal, isStored, kept }
}

interface SaveOutcomeProps {
  save: ProblemSave
  hasFieldErrors: boolean
  /** Whether the form is saved, even if its images or the zip are not. */
  isStored: boolean
  lacksImages: boolean
  storedAt: string
  onOverwrite: () => void
  onReveal: () => void
}

/** The progress of saving, or why it failed. */
function SaveOutcome(props: SaveOutcomeProps) {
  const { save, hasFieldErrors, isStored, lacksImages, storedAt, onOverwrite, onReveal } = props
  const { t } = useTranslation()
  const { state } = save
  const asksToReveal = state.phase === 'failed' && isRefusal(state.error, 'reveals_tests')
  return (
    <>
      {hasFieldErrors ? <Alert color="red">{t('problemForm.lookAgain')}</Alert> : null}
      {state.phase === 'uploading' ? <UploadProgress {...state} onCancel={save.cancel} /> : null}
      {asksToReveal ? <RevealQuestion error={state.error} onReveal={onReveal} /> : null}
      {state.phase === 'failed' && !asksToReveal ? (
        <SaveError error={state.error} storedAt={storedAt} onOverwrite={onOverwrite} />
      ) : null}
      {isStored ? (
        <Alert color="yellow">
          {t(lacksImages ? 'problemFiles.storedHidden' : 'problemForm.storedWithoutZip')}
        </Alert>
      ) : null}
      {state.phase === 'failed' && state.error instanceof ApiError ? (
        <FieldErrorList errors={state.error.fieldErrors} />
      ) : null}
    </>
  )
}

/** The form of new and edited problems, with the upload of the test data. */
export function ProblemForm(props: ProblemFormProps) {
  const { problemId, files, cancelTo } = props
  const { form, held, hasZip, pickZip, save, send, reveal, isStored, kept } = useProblemForm(props)
  return (
    <CheckedForm form={form} onSend={(values) => send(values, false)} gap="lg">
      <KeptNotice kept={kept} />
      <FormSection part="problemForm.basics">
        <BasicFields form={form} />
      </FormSection>
      <FormSection part="problemForm.statement">
        {problemId === null ? (
          <NewStatementFields form={form} held={held} />
        ) : (
          <StatementFields form={form} problemId={problemId} files={files} />
        )}
      </FormSection>
      <FormSection part="problem.samples">
        <SampleFields form={form} />
      </FormSection>
      <FormSection part="problemForm.testData">
        <TestDataSection {...props} form={form} onZip={pickZip} />
        <SubtaskFields form={form} counted={hasZip} />
      </FormSection>
      <FormSection part="compare.title">
        <CompareFields form={form} />
      </FormSection>
      <SaveOutcome
        save={save}
        hasFieldErrors={Object.keys(form.errors).length > 0}
        isStored={isStored}
        lacksImages={held.isPending}
        storedAt={cancelTo}
        onOverwrite={() => send(form.values, true)}
        onReveal={reveal}
      />
      <div className={classes.foot}>
        <FormOutline />
        <FormButtons
          isSending={save.state.phase === 'saving' || save.state.phase === 'uploading'}
          cancelTo={cancelTo}
        />
      </div>
    </CheckedForm>
  )
}
