#include "engine/tasks/text_bundled.h"

namespace tp {

std::string_view bundled_text() {
  return R"(At the beginning the model knows nothing. It has never seen a letter, and every letter is as likely to it as every other. We give it a row of letters and ask which one comes next. It guesses. We tell it which one it was, and it moves a little, so that next time the right letter will be a little more likely. That is all that ever happens. It happens many thousand times.

처음에 모델은 아무것도 모른다. 글자를 본 적이 없으니 모든 글자가 똑같이 그럴듯하다. 우리는 글자를 한 줄 보여 주고 다음 글자를 묻는다. 모델은 찍는다. 우리가 답을 알려 주면 모델은 조금 움직인다. 다음에는 맞는 글자가 조금 더 그럴듯해진다. 일어나는 일은 이것뿐이다. 이 일이 수천 번 되풀이된다.

The first thing the model learns is how often each letter occurs. A space is common, and so is the letter e; a q is rare. A model that knows only this writes rows of letters that look like nothing, but it has already stopped guessing blindly. Its loss, which was the logarithm of the number of letters, has begun to fall.

모델이 가장 먼저 배우는 것은 글자마다 얼마나 자주 나오는가이다. 빈칸은 흔하고, 어떤 글자는 드물다. 이것만 아는 모델이 쓴 글은 아직 글처럼 보이지 않는다. 그래도 이제는 눈을 감고 찍지 않는다. 손실은 글자 수의 로그에서 시작하여 내려가기 시작한다.

Then it learns which letter follows which. After a q there is a u. After a full stop there is a space, and after the space there is a capital letter. A word begins to look like a word. For this the model has to look back only one step, and looking back one step is easy: the letter it has just read is standing right there.

그다음에는 어떤 글자 뒤에 어떤 글자가 오는지 배운다. 마침표 뒤에는 빈칸이 오고, 문장은 흔히 다로 끝난다. 낱말이 낱말처럼 보이기 시작한다. 이것을 배우려면 한 걸음만 뒤를 보면 된다. 한 걸음 뒤를 보는 일은 쉽다. 방금 읽은 글자가 바로 거기에 있다.

To look further back, the model needs attention. Every letter asks a question, and every letter before it holds up an answer. The question is called a query, and the answer is called a key. Where question and answer fit together, the letter listens; where they do not, it hardly hears a thing. What it then hears is called a value. Nobody tells the model which questions to ask. It finds them, because good questions make the loss smaller.

더 멀리 돌아보려면 어텐션이 필요하다. 글자마다 물음을 하나 던지고, 앞에 있는 글자마다 답을 하나 들고 있다. 물음은 쿼리라고 부르고, 답은 키라고 부른다. 물음과 답이 맞는 곳에서는 귀를 기울이고, 맞지 않는 곳에서는 거의 듣지 않는다. 그렇게 듣는 내용이 값이다. 어떤 물음을 던지라고 가르치는 사람은 없다. 좋은 물음이 손실을 줄이기 때문에 모델이 스스로 찾아낸다.

One head of attention is one way of looking. One head may look at the letter before, another at the beginning of the word, a third at the last time the same letter occurred. They all look at once, and then they put together what they have seen. It is like a meeting of friends: everyone listens to everyone, each in a different way, and afterwards each goes home and thinks it over alone. The thinking is done by the feed forward network. Then they meet again, one layer higher.

헤드 하나는 보는 방법 하나이다. 어떤 헤드는 바로 앞 글자를 보고, 다른 헤드는 낱말의 처음을 보고, 또 다른 헤드는 같은 글자가 지난번에 나온 곳을 본다. 모두가 한꺼번에 보고, 본 것을 한데 모은다. 친구들의 모임과 같다. 모두가 모두의 말을 듣되 저마다 다르게 듣는다. 그리고 집에 돌아가 혼자서 곰곰이 생각한다. 생각하는 일은 피드포워드 신경망이 맡는다. 그러고 나서 한 층 위에서 다시 만난다.

Nothing that was known is lost on the way. Beside every layer there is a road that goes straight on, and the layer only adds to what travels there. If a layer has nothing to say, it can be silent, and the letter passes by unchanged. This is why the model can be deep. The news about a mistake travels back along the same road, from the last layer to the first, and every number on the way learns how much of the mistake was its own.

가는 길에 잃어버리는 것은 없다. 레이어 옆에는 곧장 가는 길이 있고, 레이어는 그 길을 지나는 것에 조금 더할 뿐이다. 할 말이 없는 레이어는 가만히 있어도 된다. 그러면 글자는 그대로 지나간다. 그래서 모델은 깊어질 수 있다. 틀렸다는 소식도 같은 길을 따라 마지막 레이어에서 첫 레이어로 돌아온다. 길에 있는 모든 수가 그 잘못에서 제 몫이 얼마인지 배운다.

How far should each number move? If the steps are too small, nothing seems to happen, and one grows old waiting. If the steps are too large, the model jumps over what it was looking for and falls down on the other side. So we begin carefully, with small steps that grow, and when the model has found its way we let them become smaller again. Learning to walk is not very different.

수 하나는 얼마나 움직여야 할까? 걸음이 너무 작으면 아무 일도 일어나지 않는 것 같고, 기다리다 지친다. 걸음이 너무 크면 찾던 것을 뛰어넘어 반대쪽에 넘어진다. 그래서 처음에는 조심스럽게 작은 걸음으로 시작하여 조금씩 키운다. 길을 찾은 뒤에는 다시 걸음을 줄인다. 걸음마를 배우는 일도 그리 다르지 않다.

When we want to know what the model has learned, we must not ask about what it has already read. A child who knows the book by heart has not yet learned to read. So we keep a few pages back, and show them only in the examination. If the model does well on the old pages and badly on the new ones, it has learned by heart. If it does well on both, it has understood something.

모델이 무엇을 배웠는지 알고 싶다면 이미 읽은 것을 물어서는 안 된다. 책을 통째로 외운 아이는 아직 읽기를 배운 것이 아니다. 그래서 몇 쪽을 남겨 두었다가 시험을 볼 때만 보여 준다. 읽은 쪽은 잘하고 새로운 쪽은 못하면 외운 것이다. 둘 다 잘하면 무엇인가를 이해한 것이다.

In the end you can see it happen. The map of attention is a fog at first, the same grey everywhere, because the model looks at everything and therefore at nothing. Then the fog becomes thinner. A line appears, and the line becomes sharp. There is no moment at which somebody switched on the light. There were only many small steps, each of them in the right direction, and each of them so small that you would not have noticed it.

마지막에는 그 일이 눈에 보인다. 어텐션의 지도는 처음에 안개와 같다. 모든 것을 보고 있으니 아무것도 보지 않는 셈이어서 어디나 똑같은 회색이다. 그러다가 안개가 옅어진다. 선이 하나 나타나고, 그 선이 또렷해진다. 누군가 불을 켠 순간은 없다. 작은 걸음이 많이 있었을 뿐이다. 모두 맞는 쪽으로 간 걸음이었고, 하나하나는 너무 작아서 눈치채지 못했을 것이다.
)";
}

}  // namespace tp
