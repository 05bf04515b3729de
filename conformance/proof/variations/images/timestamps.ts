import type { ImagesFactor } from './variation.ts'
import { changeImages } from './building.ts'

/**
 * Rewrites the timestamps of images. Each factor changes its own part of the string and keeps the
 * other parts.
 */
const changeTimestamps = (change: (date: string, time: string, zone: string) => string) =>
  changeImages((image) => {
    const [, date = '', time = '', zone = ''] =
      /^(.*?)T(.*?)(Z|[+-][\d:]+)?$/.exec(String(image['uploaded'])) ?? []
    return { ...image, uploaded: change(date, time, zone) }
  })

const day = 86_400_000

/** The ordinal date and the week date of ISO 8601. A week belongs to the year of its Thursday. */
function calendarOf(date: string): { ordinal: string; week: string } {
  const moment = Date.parse(date)
  const year = Number(date.slice(0, 4))
  const ordinal = (moment - Date.UTC(year, 0, 1)) / day + 1
  const weekday = ((new Date(moment).getUTCDay() + 6) % 7) + 1
  const thursday = new Date(moment + (4 - weekday) * day)
  const week =
    Math.floor((thursday.getTime() - Date.UTC(thursday.getUTCFullYear(), 0, 1)) / (7 * day)) + 1
  return {
    ordinal: `${year}-${String(ordinal).padStart(3, '0')}`,
    week: `${thursday.getUTCFullYear()}-W${String(week).padStart(2, '0')}-${weekday}`,
  }
}

/** The forms of ISO 8601 in which a timestamp may be written. The last factor is applied last. */
export const timestamps: readonly ImagesFactor[] = [
  {
    requirement: 'IMG-IMAGE-06',
    name: 'zone of timestamps',
    values: [
      { name: 'Z', description: 'Writes UTC as Z.' },
      {
        name: 'an offset',
        description: 'Writes timestamps with an offset of two hours.',
        choices: { timestampForm: 'offset' },
      },
      {
        name: 'an offset of hours only',
        notCombined: true,
        description: 'Writes UTC as +00.',
        deviation: changeTimestamps((date, time) => `${date}T${time}+00`),
      },
      {
        name: 'none',
        description: 'Writes no zone.',
        deviation: changeTimestamps((date, time) => `${date}T${time}`),
      },
    ],
  },
  {
    requirement: 'IMG-IMAGE-06',
    name: 'time of timestamps',
    values: [
      { name: 'milliseconds', description: 'Writes milliseconds.' },
      {
        name: 'nine decimals after a comma',
        description: 'Writes nine decimal places after a comma.',
        deviation: changeTimestamps(
          (date, time, zone) => `${date}T${time.replace('.', ',')}000000${zone}`,
        ),
      },
      {
        name: 'whole seconds',
        notCombined: true,
        description: 'Writes no fraction.',
        deviation: changeTimestamps((date, time, zone) => `${date}T${time.slice(0, 8)}${zone}`),
      },
      {
        name: 'whole minutes',
        description: 'Writes no seconds.',
        deviation: changeTimestamps((date, time, zone) => `${date}T${time.slice(0, 5)}${zone}`),
      },
    ],
  },
  {
    requirement: 'IMG-IMAGE-06',
    name: 'date of timestamps',
    values: [
      { name: 'month and day', description: 'Writes calendar dates.' },
      {
        name: 'week',
        description: 'Writes week dates.',
        deviation: changeTimestamps(
          (date, time, zone) => `${calendarOf(date).week}T${time}${zone}`,
        ),
      },
      {
        name: 'day of the year',
        description: 'Writes ordinal dates.',
        deviation: changeTimestamps(
          (date, time, zone) => `${calendarOf(date).ordinal}T${time}${zone}`,
        ),
      },
    ],
  },
  {
    requirement: 'IMG-IMAGE-06',
    name: 'format of timestamps',
    values: [
      { name: 'extended', description: 'Writes hyphens and colons.' },
      {
        name: 'basic',
        description: 'Writes neither hyphens nor colons.',
        deviation: changeTimestamps(
          (date, time, zone) =>
            `${date.replaceAll('-', '')}T${time.replaceAll(':', '')}${zone.replace(':', '')}`,
        ),
      },
    ],
  },
]
