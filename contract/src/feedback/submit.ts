import { choice, longText, text } from '../kit/field.ts';
import type { Text } from '../kit/text.ts';
import { fill } from '../kit/text.ts';
import { limits } from '../limits.ts';
import { phoneInput } from '../phone.ts';
import { rules } from '../rules.ts';
import { feedbackLevel, feedbackType } from './choices.ts';

/** What a subscriber fills in on the portal. */
export const submitFields = {
  type: choice(['反馈类型', 'Type'], feedbackType, { required: true, default: 'network' }),
  level: choice(['紧急程度', 'Urgency'], feedbackLevel, { required: true, default: 'general' }),
  content: longText(['反馈内容', 'Content'], { required: true, rules: [rules.length(1, limits.feedbackMax)], max: limits.feedbackMax }),
  phone: text(['联系电话', 'Phone'], { rules: [rules.phone], ...phoneInput }),
};

export const submitTexts = {
  images: fill(['最多{0}张图片', 'At most {0} images'], limits.feedbackImages),
  content: ['包含无法显示的字符', 'Contains characters that cannot be shown'],
  image: ['仅支持JPG、PNG图片，每张小于2MB', 'JPG or PNG only, each under 2 MB'],
} as const satisfies Record<string, Text>;
