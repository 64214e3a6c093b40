import { quick } from '../../kit/page.ts';

export const quickMenuSatellite = quick('quick_menu_satellite', {
  title: ['卫星信号', 'Satellite signal'],
  summary: ['打开卫星概览页面。', 'Opens the satellite overview.'],
  opens: 'satellite_route_overview',
});
