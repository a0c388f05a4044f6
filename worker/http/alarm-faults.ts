/** The settings by which the operator is told of alarms. */
import { settingFaults, type SettingFault } from '#contract/installation/settings'
import type { Env } from '../env.ts'
import { mailFaults } from './mail.ts'

const NAMES = ['ALARM_WEBHOOK_URL', 'ALARM_EMAIL'] as const

/** Whether a setting is there and right. */
export function hasAlarmSetting(env: Env, name: (typeof NAMES)[number]): boolean {
  return settingFaults(env, [name], [name]).length === 0
}

/** What is missing or wrong before the operator can be told. One of the settings suffices. */
export function alarmFaults(env: Env): SettingFault[] {
  const areMissing = NAMES.every((name) => !env[name])
  return [
    ...settingFaults(env, NAMES, areMissing ? NAMES : []),
    ...(env.ALARM_EMAIL ? mailFaults(env) : []),
  ]
}
