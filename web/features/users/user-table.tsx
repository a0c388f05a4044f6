import { Button, Group } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { UserItem } from '#contract/users'
import { ConfirmDelete } from '../../components/confirm-delete.tsx'
import { ListTable, type Column } from '../../components/list-table.tsx'
import { TimeText } from '../../components/time-text.tsx'
import { refresh } from '../../lib/query-client.ts'
import { eraseUser } from './api.ts'
import classes from './users-page.module.css'

interface ActionsProps {
  onEdit: (user: UserItem) => void
  onErased: (user: UserItem) => void
}

function Actions({ user, onEdit, onErased }: ActionsProps & { user: UserItem }) {
  const { t } = useTranslation()
  const { username } = user

  async function erase() {
    await eraseUser(username)
    onErased(user)
    await refresh(['users'])
  }

  return (
    <Group gap="xs" wrap="nowrap">
      <Button
        size="xs"
        variant="default"
        aria-label={t('users.editOf', { username })}
        onClick={() => onEdit(user)}
      >
        {t('common.edit')}
      </Button>
      <ConfirmDelete
        size="xs"
        name={username}
        label={t('users.erase')}
        ofWhat={t('users.eraseOf', { username })}
        text={t('users.eraseText', { username })}
        onDelete={erase}
      />
    </Group>
  )
}

interface UserTableProps extends ActionsProps {
  users: UserItem[]
}

/** Accounts; on narrow screens every row is a card. */
export function UserTable({ users, onEdit, onErased }: UserTableProps) {
  const { t } = useTranslation()
  const columns: Column<UserItem>[] = [
    {
      head: t('profile.username'),
      isWide: true,
      className: classes.who,
      renderCell: ({ username, displayedName }) => (
        <>
          <span className="mono">{username}</span>
          <span className={classes.name}>{displayedName}</span>
        </>
      ),
    },
    {
      head: t('profile.email'),
      isWide: true,
      className: classes.who,
      renderCell: ({ email, emailConfirmed }) => (
        <>
          {email}
          {emailConfirmed ? null : <span className={classes.name}>{t('members.unconfirmed')}</span>}
        </>
      ),
    },
    {
      head: t('profile.role'),
      className: classes.role,
      renderCell: ({ role, active }) => (
        <>
          {t(`role.${role}`)}
          {active ? null : <span className={classes.inactive}>{t('users.inactive')}</span>}
        </>
      ),
    },
    {
      head: t('users.created'),
      isLabelled: true,
      renderCell: ({ createTime }) => <TimeText at={createTime} />,
    },
    {
      head: t('common.actions'),
      renderCell: (user) => <Actions user={user} onEdit={onEdit} onErased={onErased} />,
    },
  ]
  return (
    <ListTable
      className="app-cards"
      columns={columns}
      rows={users}
      keyOf={({ username }) => username}
    />
  )
}
