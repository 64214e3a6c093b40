import { polarizations, satBands, satNetworks } from '../../choices.ts';
import { bool, choice, int, polygon, text } from '../../kit/field.ts';
import { list } from '../../kit/page.ts';
import { frequency, longitude } from '../../kit/patterns.ts';
import { simpleRing } from '../../kit/polygon-rule.ts';

export const satelliteRouteBeam = list('satellite_route_beam', {
  title: ['波束管理', 'Beams'],
  summary: [
    '维护自动选择波束所用的波束表：卫星、载波、覆盖区和优选级。',
    'Beam table used for automatic beam selection: satellite, carrier, coverage polygon and preference.',
  ],
  key: 'beam_id',
  maxRows: 256,
  fields: {
    beam_id: int(['波束编号', 'Beam ID'], { required: true, min: 1, max: 65_535 }),
    name: text(['波束名称', 'Beam name'], { required: true }),
    enabled: bool(['启用', 'Enabled'], { default: true }),
    sat_network: choice(['所属卫星网', 'Satellite network'], satNetworks, { required: true, default: 'global' }),
    satellite: text(['卫星', 'Satellite'], { required: true, max: 32 }),
    orbital_longitude: text(['轨位', 'Orbital slot'], { required: true, max: 11, like: longitude, unit: '°E' }),
    band: choice(['频段', 'Band'], satBands, { default: 'ku' }),
    rx_frequency: text(['下行载波频率', 'Downlink carrier frequency'], { max: 9, like: frequency, unit: 'MHz' }),
    symbol_rate: int(['符号率', 'Symbol rate'], { min: 100, max: 500_000, unit: 'ksps' }),
    rx_polarization: choice(['接收极化', 'Receive polarization'], polarizations, { default: 'h' }),
    tx_polarization: choice(['发射极化', 'Transmit polarization'], polarizations, { default: 'v' }),
    preference: int(['优选级（小者优先）', 'Preference (lower first)'], { default: 100, min: 1, max: 255 }),
    min_elevation: int(['最低仰角', 'Minimum elevation'], { default: 10, min: 5, max: 60, unit: '°' }),
    tx_allowed: bool(['允许发射', 'Transmit allowed'], { default: true }),
    coverage: polygon(['覆盖区', 'Coverage'], { min: 3, max: 200 }),
    remark: text(['备注', 'Remark'], { max: 128 }),
  },
  rules: [simpleRing('coverage')],
});
