// Names of the places in the document that a switch can point at.
export const ENV = 'Resources and their fields › Response envelope'
export const IMG = 'Resources and their fields › Image'
export const VAR = 'Resources and their fields › Variant'
export const CFG = 'Resources and their fields › Account configuration'
export const TIC = 'Resources and their fields › Upload ticket'
export const STA = 'States and transitions'
export const END = 'Endpoints'
export const op = (number: number): string => `Endpoints › operation ${number}`
export const DCU = 'Endpoints › Completing a direct creator upload'
export const BAT = 'Endpoints › Batch host'
export const AUT = 'Authentication'
export const aut = (number: number): string => `Authentication › item ${number}`
export const ERR = 'Errors'
export const LIM = 'Limits'
export const DOES = 'What the service does'
export const ADR = 'What the service does › Addresses'

export interface Switch {
  name: string
  kind: 'choice' | 'violation'
  where: string
  does: string
}

export const choice = (name: string, where: string, does: string): Switch => ({
  name,
  kind: 'choice',
  where,
  does,
})

export const violation = (name: string, where: string, does: string): Switch => ({
  name,
  kind: 'violation',
  where,
  does,
})
