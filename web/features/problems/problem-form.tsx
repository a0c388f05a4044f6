import { Alert, Button, Group, Stack, Title } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useCallback, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { problemForm, type ProblemFormInput } from '#contract/problems'
import { KeptNotice } from '../../components/kept-notice.tsx'
import { SaveError } from '../../components/save-error.tsx'
import { useSchemaValidation } from '../../lib/field-text.ts'
import { focusFirstInvalid } from '../../lib/focus.ts'
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
import { useProblemSave } from './use-problem-save.ts'

interface ProblemFormProps {
  /** Null for one that does not exist yet. */
  problemId: number | null
  initial: ProblemValues
  /** Cases are counted by the zip; without one the counts are typed. */
  hasTestData: boolean
  cancelTo: string
  /** Creates or modifies; answers the problem's id. `overwrite`: whatever anybody else has saved since. */
  store: (form: ProblemFormInput, overwrite: boolean) => Promise<number>
  onDone: (problemId: number) => Promise<void>
}

/** The form of new and edited problems, with the upload of the test data. */
export function ProblemForm({
  problemId,
  initial,
  hasTestData,
  cancelTo,
  store,
  onDone,
}: ProblemFormProps) {
  const { t } = useTranslation()
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
  const dirty = form.isDirty() || zip !== null
  // What has been stored is kept, and a reload loses the zip with the counts that came from it.
  const stored =
    save.state.phase === 'cancelled' || (save.state.phase === 'failed' && save.state.stored)
  const kept = useKeptForm(
    form,
    useCallback(() => dirty && !done.current, [dirty]),
    () => {
      if (stored) return null
      return zip === null ? form.getValues() : { ...form.getValues(), subtasks: initial.subtasks }
    },
  )

  return (
    <form
      onSubmit={form.onSubmit(
        (values) => void save.start(toForm(values), zip, false),
        () => focusFirstInvalid(),
      )}
      noValidate
    >
      <Stack gap="lg">
        <KeptNotice kept={kept} />
        <section className={`app-card ${classes.section}`}>
          <Title order={2}>{t('problemForm.basics')}</Title>
          <BasicFields form={form} />
        </section>
        <section className={`app-card ${classes.section}`}>
          <Title order={2}>{t('problemForm.statement')}</Title>
          <StatementFields form={form} />
        </section>
        <section className={`app-card ${classes.section}`}>
          <Title order={2}>{t('problem.samples')}</Title>
          <SampleFields form={form} />
        </section>
        <section className={`app-card ${classes.section}`}>
          <Title order={2}>{t('problemForm.testData')}</Title>
          <TestDataField
            problemId={problemId}
            hasTestData={hasTestData}
            caseCounts={form.values.subtasks.map(({ caseCount }) => caseCount)}
            file={zip}
            onPick={(file, caseCounts) => {
              setZip(file)
              if (caseCounts !== null)
                form.setFieldValue('subtasks', withCaseCounts(form.values.subtasks, caseCounts))
            }}
          />
          <SubtaskFields form={form} counted={zip !== null} />
        </section>
        <section className={`app-card ${classes.section}`}>
          <Title order={2}>{t('compare.title')}</Title>
          <CompareFields form={form} />
        </section>
        {Object.keys(form.errors).length > 0 ? (
          <Alert color="red" variant="outline" role="alert">
            {t('problemForm.lookAgain')}
          </Alert>
        ) : null}
        {save.state.phase === 'uploading' ? (
          <UploadProgress {...save.state} onCancel={save.cancel} />
        ) : null}
        {save.state.phase === 'failed' ? (
          <SaveError
            error={save.state.error}
            storedAt={cancelTo}
            onOverwrite={() => void save.start(toForm(form.values), zip, true)}
          />
        ) : null}
        {stored ? (
          <Alert color="yellow" variant="outline" role="alert">
            {t('problemForm.storedWithoutZip')}
          </Alert>
        ) : null}
        {save.state.phase === 'failed' ? <FieldErrorList error={save.state.error} /> : null}
        <Group justify="flex-end">
          <Button component={Link} to={cancelTo} variant="default">
            {t('common.cancel')}
          </Button>
          <Button
            type="submit"
            loading={save.state.phase === 'saving' || save.state.phase === 'uploading'}
          >
            {t('common.save')}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
