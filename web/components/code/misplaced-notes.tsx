import { Text } from '@mantine/core'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Language } from '#contract/languages'
import { findMisplaced, type MisplacedAtLine } from '../../lib/text/find-misplaced.ts'
import { meantBy } from '../../lib/text/misplaced.ts'
import { unicodeNumber } from '../../lib/text/unseen.ts'

/** At most this many characters are named; the note only counts the rest. */
const MOST_NAMED = 5

/** The text that names a character. */
function kindOf(character: string): 'unseen' | 'blank' | 'fullWidth' | 'typographic' {
  const meant = meantBy(character)
  if (meant.trim() === '') return meant === '' ? 'unseen' : 'blank'
  return character > '\u3000' ? 'fullWidth' : 'typographic'
}

/** Lists misplaced characters with their lines, and with what to write instead. */
export function MisplacedList({ found }: { found: MisplacedAtLine[] }) {
  const { t } = useTranslation()
  if (found.length === 0) return null
  return (
    <Text component="ul" size="sm" mt="xs" mb={0}>
      {found.slice(0, MOST_NAMED).map(({ line, character }) => (
        <li key={`${line} ${character}`}>
          {t(`misplaced.${kindOf(character)}`, {
            line,
            character,
            number: unicodeNumber(character),
            meant: meantBy(character),
          })}
        </li>
      ))}
      {found.length > MOST_NAMED ? (
        <li>{t('misplaced.more', { count: found.length - MOST_NAMED })}</li>
      ) : null}
    </Text>
  )
}

export interface MisplacedNotesProps {
  code: string
  language: Language
}

/** The misplaced characters of a program that does not compile. */
export function MisplacedNotes({ code, language: { editor } }: MisplacedNotesProps) {
  const [found, setFound] = useState<MisplacedAtLine[]>([])
  useEffect(() => {
    let isWanted = true
    async function find() {
      const all = await findMisplaced(code, editor)
      if (isWanted) setFound(all)
    }
    // If the misplaced characters cannot be found, the compiler's message is still shown.
    find().catch(() => setFound([]))
    return () => {
      isWanted = false
    }
  }, [code, editor])
  return <MisplacedList found={found} />
}
