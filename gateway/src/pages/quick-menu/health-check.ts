import { quick } from '../../kit/page.ts';

export const quickMenuHealthCheck = quick('quick_menu_health_check', {
  title: ['一键体检', 'Health check'],
  summary: ['打开一键体检页面。', 'Opens the health check.'],
  opens: 'diagnosis_health_check',
});
