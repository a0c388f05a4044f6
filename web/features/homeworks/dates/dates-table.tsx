import { ActionIcon, Button, Checkbox, Group, TextInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconCalendarPlus, IconClockPlus, IconUsers } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { UserInfo } from '#contract/fields'
import type { HomeworkDatesTable } from '#contract/homework-overrides'
import type { Homework } from '#contract/homeworks'
import { TEXT_LIMITS } from '#contract/limits'
import { Person } from '../../../components/display/person.tsx'
import { TimeText } from '../../../components/display/time-text.tsx'
import { EmptyState } from '../../../components/feedback/empty-state.tsx'
import { OpenedExtension } from '../../../components/homeworks/opened-extension.tsx'
import { ListTable, type Column } from '../../../components/lists/list-table.tsx'
import { Dialog } from '../../../components/overlays/dialog.tsx'
import classes from './dates.module.css'
import { ChangedBy, useSpecialText } from './special-text.tsx'

type Row = HomeworkDatesTable['people'][number]

const nameOf = ({ username, displayedName }: UserInfo) => displayedName || username

/** The people whose username or name holds the text. */
function found(people: Row[], text: string): Row[] {
  const wanted = text.trim().toLowerCase()
  return people.filter(({ user: { username, displayedName } }) =>
    `${username} ${displayedName}`.toLowerCase().includes(wanted),
  )
}

interface ColumnsProps {
  chosen: ReadonlySet<string>
  onChoose: (usernames: string[], isChosen: boolean) => void
  onChange: (student: UserInfo) => void
}

function useColumns({ chosen, onChoose, onChange }: ColumnsProps): Column<Row>[] {
  const { t } = useTranslation()
  const special = useSpecialText()
  return [
    {
      head: t('scoreboard.student'),
      className: classes.name,
      isWide: true,
      renderCell: ({ user }) => (
        <Checkbox
          label={<Person user={user} />}
          checked={chosen.has(user.username)}
          onChange={({ currentTarget }) => onChoose([user.username], currentTarget.checked)}
        />
      ),
    },
    {
      head: t('dates.opens'),
      isLabelled: true,
      renderCell: ({ own }) => <TimeText at={own.opens} mayLieAhead />,
    },
    {
      head: t('dates.due'),
      isLabelled: true,
      renderCell: ({ own }) => <TimeText at={own.due} isDeadline withZone={false} mayLieAhead />,
    },
    {
      head: t('dates.closes'),
      isLabelled: true,
      renderCell: ({ own }) => <TimeText at={own.closes} isDeadline withZone={false} mayLieAhead />,
    },
    {
      head: t('dates.changed'),
      className: classes.text,
      isWide: true,
      renderCell: ({ override }) =>
        override && (
          <>
            {special(override)} {override.reason} <ChangedBy override={override} />
          </>
        ),
    },
    {
      head: t('common.actions'),
      renderCell: ({ user }) => (
        <ActionIcon
          aria-label={t('dates.moreTimeFor', { name: nameOf(user) })}
          title={t('dates.moreTime')}
          onClick={() => onChange(user)}
        >
          <IconClockPlus size={17} />
        </ActionIcon>
      ),
    },
  ]
}

/** The students whose dates the dialog changes. */
function useDialog({ id }: Homework, onClosed: () => void) {
  const { t } = useTranslation()
  // If the dialog is opened again while it still fades out, its content starts anew.
  const [{ whose, opening }, setOpen] = useState({ whose: [] as UserInfo[], opening: 0 })
  const [opened, dialog] = useDisclosure(false, { onClose: onClosed })
  const [first] = whose
  const title =
    first !== undefined && whose.length === 1
      ? t('dates.moreTimeFor', { name: nameOf(first) })
      : t('dates.changeOf', { count: whose.length })
  return {
    open(students: UserInfo[]) {
      setOpen({ whose: students, opening: opening + 1 })
      dialog.open()
    },
    element: (
      <Dialog opened={opened} onClose={dialog.close} title={title} size="lg">
        <OpenedExtension key={opening} homeworkId={id} whose={whose} onClose={dialog.close} />
      </Dialog>
    ),
  }
}

interface ChooseBarProps {
  search: string
  onSearch: (text: string) => void
  /** How many students are shown, and whether all of them are chosen. */
  shown: number
  isAll: boolean
  onAll: (isChosen: boolean) => void
  chosen: number
  onChange: () => void
}

/** Finds and chooses students, and changes those who are chosen. */
function ChooseBar(props: ChooseBarProps) {
  const { search, onSearch, shown, isAll, onAll, chosen, onChange } = props
  const { t } = useTranslation()
  return (
    <Group align="flex-end" gap={12} mb="md">
      <TextInput
        type="search"
        label={t('dates.search')}
        value={search}
        maxLength={TEXT_LIMITS.search}
        onChange={({ currentTarget }) => onSearch(currentTarget.value)}
      />
      <Checkbox
        mb={8}
        label={t('dates.chooseShown', { count: shown })}
        checked={isAll}
        onChange={({ currentTarget }) => onAll(currentTarget.checked)}
      />
      <Button
        disabled={chosen === 0}
        leftSection={<IconCalendarPlus size={16} aria-hidden="true" />}
        onClick={onChange}
      >
        {t('dates.changeOf', { count: chosen })}
      </Button>
    </Group>
  )
}

interface DatesTableProps {
  homework: Homework
  people: Row[]
}

/** Everybody's dates; several students can be chosen for one change. */
export function DatesTable({ homework, people }: DatesTableProps) {
  const { t } = useTranslation()
  const [search, setSearch] = useState('')
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const dialog = useDialog(homework, () => setChosen(new Set()))

  function choose(usernames: string[], isChosen: boolean) {
    const next = new Set(chosen)
    for (const username of usernames)
      if (isChosen) next.add(username)
      else next.delete(username)
    setChosen(next)
  }

  const columns = useColumns({
    chosen,
    onChoose: choose,
    onChange: (student) => dialog.open([student]),
  })
  const shown = found(people, search)
  const students = people.flatMap(({ user }) => (chosen.has(user.username) ? user : []))
  const names = shown.map(({ user }) => user.username)
  if (people.length === 0) return <EmptyState Icon={IconUsers} text={t('homeworks.noStudents')} />
  return (
    <div>
      <ChooseBar
        search={search}
        onSearch={setSearch}
        shown={names.length}
        isAll={names.length > 0 && names.every((name) => chosen.has(name))}
        onAll={(isChosen) => choose(names, isChosen)}
        chosen={students.length}
        onChange={() => dialog.open(students)}
      />
      {shown.length === 0 ? (
        <EmptyState Icon={IconUsers} text={t('members.noneFound')} />
      ) : (
        <ListTable
          className="app-cards app-long"
          label={t('dates.of', { name: homework.name })}
          columns={columns}
          rows={shown}
          keyOf={({ user }) => user.username}
        />
      )}
      {dialog.element}
    </div>
  )
}
