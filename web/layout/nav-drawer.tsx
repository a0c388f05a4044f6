import { Drawer } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import classes from './nav-drawer.module.css'
import { SideBar } from './side-bar.tsx'

interface NavDrawerProps {
  opened: boolean
  /** Called when it is closed without a navigation. */
  onClose: () => void
  onNavigate: () => void
}

/** The side bar of narrow screens; loaded when it is first opened. */
export function NavDrawer({ opened, onClose, onNavigate }: NavDrawerProps) {
  const { t } = useTranslation()
  return (
    <Drawer
      opened={opened}
      onClose={onClose}
      size={280}
      title={t('nav.menu')}
      closeButtonProps={{ 'aria-label': t('common.close') }}
      classNames={{ body: classes.body, content: classes.ground, header: classes.ground }}
    >
      <SideBar mini={false} onNavigate={onNavigate} />
    </Drawer>
  )
}
