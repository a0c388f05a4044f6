import { Button, Group, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { TestDataEntry } from '#contract/problems/test-data'
import { isInputMethodKey } from '../../../lib/text/input-method.ts'
import type { CaseMapping } from './case-mapping.ts'
import { casesByPattern } from './case-pattern.ts'
import { recogniseCases } from './recognise-cases.ts'

interface ZipPatternsProps {
  entries: TestDataEntry[]
  onCorrect: (mapping: CaseMapping) => void
}

/** Finds the cases by the user's patterns, or again by the rules for names. */
export function ZipPatterns({ entries, onCorrect }: ZipPatternsProps) {
  const { t } = useTranslation()
  const [patterns, setPatterns] = useState({
    input: '{subtask}/{case}.in',
    output: '{subtask}/{case}.out',
  })
  return (
    <>
      <Text size="sm">
        {t('zipCases.patternHelp', { subtask: '{subtask}', case: '{case}', any: '*' })}
      </Text>
      <Group gap="xs" align="end">
        {(['input', 'output'] as const).map((side) => (
          <TextInput
            key={side}
            size="xs"
            label={t(`zipCases.${side}Pattern`)}
            classNames={{ input: 'mono' }}
            value={patterns[side]}
            onChange={({ currentTarget }) =>
              setPatterns({ ...patterns, [side]: currentTarget.value })
            }
            // Without this, Enter would save the problem.
            onKeyDown={(event) => {
              if (event.key !== 'Enter' || isInputMethodKey(event.nativeEvent)) return
              event.preventDefault()
              onCorrect(casesByPattern(entries, patterns))
            }}
          />
        ))}
        <Button
          size="xs"
          variant="default"
          onClick={() => onCorrect(casesByPattern(entries, patterns))}
        >
          {t('zipCases.findByPattern')}
        </Button>
        <Button size="xs" variant="subtle" onClick={() => onCorrect(recogniseCases(entries))}>
          {t('zipCases.again')}
        </Button>
      </Group>
    </>
  )
}
