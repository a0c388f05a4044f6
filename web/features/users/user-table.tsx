import { Button, Group } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { UserItem } from '#contract/people/users'
import { call } from '../../lib/api/call.ts'
import { ConfirmDelete } from '../../components/overlays/confirm-delete.tsx'
import { ErrorBox } from '../../components/feedback/error-box.tsx'
import { ListTable, type Column } from '../../components/lists/list-table.tsx'
import { TimeText } from '../../components/display/time-text.tsx'
import { refresh } from '../../lib/api/query-client.ts'
import { askToConfirm } from '../../lib/confirm.ts'
import { sessionQuery } from '../../lib/session/session.ts'
import classes from './users-page.module.css'

interface ActionsProps {
  onEdit: (user: UserItem) => void
  onErased: (user: UserItem) => void
}

interface RowActionsProps extends ActionsProps {
  user: UserItem
  isBusy: boolean
  onSignOut: () => void
}

function Actions({ user, isBusy, onEdit, onSignOut, onErased }: RowActionsProps) {
  const { t } = useTranslation()
  const { username } = user

  async function erase() {
    await call('DELETE /user/:username', { params: { username } })
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
      <Button
        size="xs"
        variant="default"
        loading={isBusy}
        aria-label={t('users.signOutOf', { username })}
        onClick={onSignOut}
      >
        {t('users.signOut')}
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

/** The columns that identify an account. */
function usePersonColumns(): Column<UserItem>[] {
  const { t } = useTranslation()
  return [
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
  ]
}

function useSignOut(onSignedOut: (user: UserItem) => void) {
  const { t } = useTranslation()
  const signOut = useMutation({
    mutationFn: ({ username }: UserItem) =>
      call('DELETE /user/:username/sessions', { params: { username } }),
    onSuccess: async (_, user) => {
      onSignedOut(user)
      // The signed-out account may be the admin's own.
      await refresh(sessionQuery.queryKey)
    },
  })

  async function askAndSignOut(user: UserItem) {
    const isSure = await askToConfirm({
      title: t('users.confirmSignOut.title', { username: user.username }),
      text: t('users.confirmSignOut.text'),
      label: t('users.signOut'),
    })
    if (isSure) signOut.mutate(user)
  }

  return { signOut, askAndSignOut }
}

interface UserTableProps extends ActionsProps {
  users: UserItem[]
  onSignedOut: (user: UserItem) => void
}

/** Accounts; on narrow screens every row is a card. */
export function UserTable({ users, onEdit, onSignedOut, onErased }: UserTableProps) {
  const { t } = useTranslation()
  const { signOut, askAndSignOut } = useSignOut(onSignedOut)
  const columns: Column<UserItem>[] = [
    ...usePersonColumns(),
    {
      head: t('common.actions'),
      renderCell: (user) => (
        <Actions
          user={user}
          isBusy={signOut.isPending && signOut.variables.username === user.username}
          onEdit={onEdit}
          onSignOut={() => void askAndSignOut(user)}
          onErased={onErased}
        />
      ),
    },
  ]
  return (
    <>
      <ErrorBox of={signOut} />
      <ListTable
        className="app-cards"
        columns={columns}
        rows={users}
        keyOf={({ username }) => username}
      />
    </>
  )
}
