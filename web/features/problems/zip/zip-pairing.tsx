import { Button, Group, NativeSelect } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { addCase, subtaskCount, type CaseMapping } from './case-mapping.ts'

/** At most this many files are offered; files without their input or output come first. */
const OFFERED_FILES = 200

interface ZipPairingProps {
  mapping: CaseMapping
  onCorrect: (mapping: CaseMapping) => void
}

/** Makes a case of two files whose names do not say that they belong together. */
export function ZipPairing({ mapping, onCorrect }: ZipPairingProps) {
  const { t } = useTranslation()
  const [chosen, setChosen] = useState({ input: '', output: '', subtask: '0' })
  const names = mapping.ignored
    .filter(({ reason }) => reason !== 'system')
    .slice(0, OFFERED_FILES)
    .map(({ name }) => name)
  if (names.length < 2) return null
  const { input, output, subtask } = chosen
  const isPossible = input !== output && names.includes(input) && names.includes(output)
  const count = subtaskCount(mapping)
  const files = ['', ...names].map((name) => ({ value: name, label: name }))
  return (
    <Group gap="xs" align="end">
      {(['input', 'output'] as const).map((side) => (
        <NativeSelect
          key={side}
          size="xs"
          label={t(`zipCases.${side}`)}
          data={files}
          value={chosen[side]}
          onChange={({ currentTarget }) => setChosen({ ...chosen, [side]: currentTarget.value })}
        />
      ))}
      <NativeSelect
        size="xs"
        label={t('zipCases.subtask')}
        value={subtask}
        onChange={({ currentTarget }) => setChosen({ ...chosen, subtask: currentTarget.value })}
        data={Array.from({ length: count + 1 }, (_, number) => ({
          value: String(number),
          label: number < count ? t('problemForm.subtask', { number }) : t('zipCases.newSubtask'),
        }))}
      />
      <Button
        size="xs"
        variant="default"
        disabled={!isPossible}
        onClick={() => {
          onCorrect(addCase(mapping, { input, output, subtask: Math.min(Number(subtask), count) }))
          setChosen({ ...chosen, input: '', output: '' })
        }}
      >
        {t('zipCases.pair')}
      </Button>
    </Group>
  )
}
