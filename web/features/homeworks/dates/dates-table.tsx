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
import { LabelFilter } from '../../../components/labels/label-filter.tsx'
import { useLabelChoice } from '../../../components/labels/use-label-choice.ts'
import { ListTable, type Column } from '../../../components/lists/list-table.tsx'
import { useChosen, type Chosen } from '../../../components/lists/use-chosen.ts'
import { Dialog } from '../../../components/overlays/dialog.tsx'
import { useCourse } from '../../../lib/queries/course.ts'
import classes from './dates.module.css'
import { labelsThatApply } from './labels-that-apply.ts'
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

/** What is changed for a person alone, and by which labels. */
function Changed({ row: { user, override }, table }: { row: Row; table: HomeworkDatesTable }) {
  const { t } = useTranslation()
  const special = useSpecialText()
  const { labels, memberLabels } = useCourse()
  const ids = labelsThatApply(memberLabels.get(user.username) ?? [], table, override)
  const names = labels.flatMap(({ id, name }) => (ids.includes(id) ? name : [])).join(', ')
  return (
    <>
      {override === null ? null : (
        <>
          {special(override)} {override.reason} <ChangedBy override={override} />
        </>
      )}
      {names === '' ? null : <div>{t('labels.byLabel', { names })}</div>}
    </>
  )
}

interface ColumnsProps extends Chosen {
  table: HomeworkDatesTable
  onChange: (student: UserInfo) => void
}

function useColumns({ table, chosen, choose, onChange }: ColumnsProps): Column<Row>[] {
  const { t } = useTranslation()
  return [
    {
      head: t('scoreboard.student'),
      className: classes.name,
      isWide: true,
      renderCell: ({ user }) => (
        <Checkbox
          label={<Person user={user} />}
          checked={chosen.has(user.username)}
          onChange={({ currentTarget }) => choose([user.username], currentTarget.checked)}
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
      renderCell: (row) => <Changed row={row} table={table} />,
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
      <LabelFilter withNone />
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
  table: HomeworkDatesTable
}

/** Everybody's dates; several students can be chosen for one change. */
export function DatesTable({ homework, table }: DatesTableProps) {
  const { t } = useTranslation()
  const [search, setSearch] = useState('')
  const { isShown } = useLabelChoice(true)
  const { chosen, choose } = useChosen()
  const dialog = useDialog(homework, () => choose([...chosen], false))
  const columns = useColumns({
    table,
    chosen,
    choose,
    onChange: (student) => dialog.open([student]),
  })
  const { people } = table
  const shown = found(people, search).filter(({ user }) => isShown(user.username))
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
