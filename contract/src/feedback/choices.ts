export const feedbackType = [
  { id: 'network', label: ['网络问题', 'Network'], color: 'blue' },
  { id: 'device', label: ['设备问题', 'Device'], color: 'purple' },
  { id: 'portal', label: ['门户问题', 'Portal'], color: 'cyan' },
  { id: 'suggestion', label: ['意见建议', 'Suggestion'], color: 'green' },
] as const;
export type FeedbackType = (typeof feedbackType)[number]['id'];

export const feedbackLevel = [
  { id: 'general', label: ['一般', 'General'], color: 'default' },
  { id: 'middle', label: ['中等', 'Medium'], color: 'orange' },
  { id: 'urgent', label: ['紧急', 'Urgent'], color: 'red' },
] as const;
export type FeedbackLevel = (typeof feedbackLevel)[number]['id'];

export const feedbackStatus = [
  { id: 0, label: ['待处理', 'Pending'], color: 'orange' },
  { id: 1, label: ['已处理', 'Finished'], color: 'green' },
] as const;
export type FeedbackStatus = (typeof feedbackStatus)[number]['id'];
