import { ActionIcon, Checkbox, Group, Select, Text, Textarea, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { IconFileUpload, IconTrash } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import {
  COMPARE_MODES,
  isLetterMode,
  isJudgeProgramMode,
  JUDGE_PROGRAM_LANGUAGES,
  type JudgeProgram,
} from '#contract/problems/compare'
import { languageOfId } from '#contract/languages'
import { JUDGE_PROGRAM_LIMIT_BYTES } from '#contract/limits'
import { Row, RowList } from '../../../components/lists/row-list.tsx'
import { FileNotice } from '../../../components/forms/file-notice.tsx'
import { FilePickButton } from '../../../components/forms/file-pick-button.tsx'
import { useTextFile } from '../../../lib/files/use-text-file.ts'
import { formatBytes } from '../../../lib/format/format.ts'
import type { ProblemValues } from './form-values.ts'

type Form = UseFormReturnType<ProblemValues>

const TOLERANCES = ['absolute', 'relative'] as const
const LANGUAGE_OPTIONS = JUDGE_PROGRAM_LANGUAGES.map((id) => ({
  value: id,
  label: languageOfId(id).label,
}))

function ToleranceFields({ form }: { form: Form }) {
  const { t } = useTranslation()
  return (
    <Group align="flex-start">
      {TOLERANCES.map((field) => (
        <TextInput
          key={field}
          label={t(`compareForm.${field}`)}
          description={t(`compareForm.${field}Help`)}
          inputMode="decimal"
          w={380}
          maw="100%"
          {...form.getInputProps(`compare.${field}`)}
          error={form.errors[`compare.${field}`] ? t('compareForm.badTolerance') : null}
        />
      ))}
    </Group>
  )
}

/** The files that a checker or interactor in C++ includes. A new file replaces a file of the same name. */
function HeaderFields({ form }: { form: Form }) {
  const { t } = useTranslation()
  const { headers } = form.values.compare
  const set = (next: typeof headers) => form.setFieldValue('compare.headers', next)
  const refused = form.errors['compare.headers']
  const file = useTextFile(JUDGE_PROGRAM_LIMIT_BYTES)

  async function add(picked: File) {
    const text = await file.open(picked)
    if (text === null) return
    const { name } = picked
    set([...headers.filter((header) => header.name !== name), { name, text }])
  }

  return (
    <div>
      <RowList>
        {headers.map(({ name, text }, index) => (
          <Row
            key={name}
            title={name}
            facts={
              <>
                <span>{formatBytes(new TextEncoder().encode(text).length)}</span>
                {form.errors[`compare.headers.${index}.name`] ? (
                  <Text span size="sm" c="var(--mantine-color-error)">
                    {t('compareForm.badHeader')}
                  </Text>
                ) : null}
              </>
            }
            action={
              <ActionIcon
                aria-label={t('compareForm.removeHeader', { name })}
                title={t('compareForm.removeHeader', { name })}
                onClick={() => set(headers.toSpliced(index, 1))}
              >
                <IconTrash size={16} aria-hidden="true" />
              </ActionIcon>
            }
          />
        ))}
      </RowList>
      <FilePickButton
        accept=".h,.hpp,.hh"
        icon={<IconFileUpload size={16} aria-hidden="true" />}
        onPick={(picked) => void add(picked)}
      >
        {t('compareForm.addHeader')}
      </FilePickButton>
      <FileNotice file={file} namesLineEnds />
      {refused ? (
        <Text size="sm" c="var(--mantine-color-error)">
          {refused}
        </Text>
      ) : null}
    </div>
  )
}

function ProgramFields({ form, mode }: { form: Form; mode: JudgeProgram['mode'] }) {
  const { t } = useTranslation()
  const file = useTextFile(JUDGE_PROGRAM_LIMIT_BYTES)

  async function take(picked: File) {
    const text = await file.open(picked)
    if (text === null) return
    form.setFieldValue('compare.source', text)
    form.setFieldValue('compare.language', picked.name.endsWith('.py') ? 'py3' : 'cpp')
  }

  return (
    <>
      <Text size="sm">{t(`compareForm.${mode}Call`)}</Text>
      <Text size="sm" c="dimmed">
        {t('compareForm.exitCodes')}
      </Text>
      <Group align="flex-end">
        <Select
          label={t('compareForm.language')}
          data={LANGUAGE_OPTIONS}
          allowDeselect={false}
          w={200}
          {...form.getInputProps('compare.language')}
        />
        <FilePickButton
          accept=".cpp,.cc,.cxx,.py"
          icon={<IconFileUpload size={16} aria-hidden="true" />}
          onPick={(picked) => void take(picked)}
        >
          {t('compareForm.pick')}
        </FilePickButton>
      </Group>
      <FileNotice file={file} namesLineEnds />
      <Textarea
        label={t(`compareForm.${mode}Source`)}
        withAsterisk
        autosize
        minRows={8}
        maxRows={24}
        spellCheck={false}
        classNames={{ input: 'mono' }}
        {...form.getInputProps('compare.source')}
      />
      {form.values.compare.language === 'cpp' || form.values.compare.headers.length > 0 ? (
        <HeaderFields form={form} />
      ) : null}
    </>
  )
}

/** The comparison mode and its options. */
export function CompareFields({ form }: { form: Form }) {
  const { t } = useTranslation()
  const { mode } = form.values.compare
  return (
    <>
      <Select
        label={t('compareForm.mode')}
        description={t(`compareForm.${mode}Help`)}
        data={COMPARE_MODES.map((value) => ({ value, label: t(`compareForm.${value}`) }))}
        renderOption={({ option }) => (
          <div>
            <div>{option.label}</div>
            <Text size="xs" c="dimmed">
              {t(`compareForm.${COMPARE_MODES.find((one) => one === option.value) ?? 'lines'}Help`)}
            </Text>
          </div>
        )}
        allowDeselect={false}
        maxDropdownHeight={420}
        {...form.getInputProps('compare.mode')}
      />
      {isLetterMode(mode) ? (
        <Checkbox
          label={t('compareForm.ignoreCase')}
          {...form.getInputProps('compare.ignoresCase', { type: 'checkbox' })}
        />
      ) : null}
      {mode === 'float' ? <ToleranceFields form={form} /> : null}
      {isJudgeProgramMode(mode) ? <ProgramFields form={form} mode={mode} /> : null}
    </>
  )
}
