import { NativeSelect, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Person } from '../../../components/display/person.tsx'
import { ListTable } from '../../../components/lists/list-table.tsx'
import type { GradebookPerson, UnsureRow } from '../../../lib/gradebook-files/people.ts'
import { More, SHOWN } from './more.tsx'
import type { OpenedFile } from './use-opened-file.ts'

const nameOf = ({ username, displayedName }: GradebookPerson) =>
  displayedName === '' ? username : `${displayedName} (${username})`

/** The rows that may be of several people, or of one person several times: who is it? */
function UnsureRows({ opened }: { opened: OpenedFile }) {
  const { t } = useTranslation()
  const { rows, chooseRow } = opened
  const { unsure } = opened.report
  if (unsure.length === 0) return null
  const choiceOf = ({ row, name, candidates }: UnsureRow) => (
    <NativeSelect
      size="xs"
      aria-label={t('gradebook.files.whoIs', { row: row + 1, name })}
      value={rows.get(row) ?? ''}
      onChange={({ currentTarget: { value } }) => chooseRow(row, value === '' ? null : value)}
      data={[
        { value: '', label: t('gradebook.files.nobody') },
        ...candidates.map((person) => ({ value: person.username, label: nameOf(person) })),
      ]}
    />
  )
  return (
    <>
      <Text size="sm">{t('gradebook.files.unsure', { count: unsure.length })}</Text>
      <ListTable
        className="app-cards"
        label={t('gradebook.files.unsureRows')}
        rows={unsure.slice(0, SHOWN)}
        keyOf={({ row }) => row}
        columns={[
          { head: t('csv.line'), isLabelled: true, renderCell: ({ row }) => row + 1 },
          { head: t('gradebook.files.theirs'), isLabelled: true, renderCell: ({ name }) => name },
          {
            head: t('gradebook.files.why'),
            isWide: true,
            renderCell: ({ why }) => t(`gradebook.files.whyUnsure.${why}`),
          },
          { head: t('gradebook.files.student'), renderCell: choiceOf },
        ]}
      />
      <More of={unsure} />
    </>
  )
}

/** Who is in the file and who is not, and what is to be chosen about people. */
export function PeopleRows({ opened }: { opened: OpenedFile }) {
  const { t } = useTranslation()
  const { absent, unknown } = opened.report
  return (
    <>
      <UnsureRows opened={opened} />
      {absent.length > 0 ? (
        <details>
          <summary>{t('gradebook.files.onlyHere', { count: absent.length })}</summary>
          <ul>
            {absent.slice(0, SHOWN).map((person) => (
              <li key={person.username}>
                <Person user={person} />
              </li>
            ))}
          </ul>
          <More of={absent} />
        </details>
      ) : null}
      {unknown.length > 0 ? (
        <details>
          <summary>{t('gradebook.files.onlyThere', { count: unknown.length })}</summary>
          <ul>
            {unknown.slice(0, SHOWN).map(({ row, name }) => (
              <li key={row}>{t('gradebook.files.rowOf', { row: row + 1, name })}</li>
            ))}
          </ul>
          <More of={unknown} />
        </details>
      ) : null}
    </>
  )
}
