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

Once the model has learned letters, it begins to learn words. It does not know that they are words. It knows only that after t and h there is often an e, and that after the e there is often a space. But this is how a word looks from the inside: a row of letters that like to stand beside each other, and a space at the end. A model that has seen the same word a hundred times does not guess any more. It knows the end of the word as soon as it has seen the beginning.

글자를 배운 모델은 이제 낱말을 배우기 시작한다. 그것이 낱말이라는 것은 모른다. 어떤 글자 뒤에 어떤 글자가 자주 오고, 그 뒤에 빈칸이 자주 온다는 것만 안다. 그러나 안에서 본 낱말은 바로 이런 모습이다. 서로 옆에 서기를 좋아하는 글자들의 줄이 있고, 끝에 빈칸이 있다. 같은 낱말을 백 번 본 모델은 더 이상 찍지 않는다. 낱말의 처음을 보면 곧 낱말의 끝을 안다.

After the words come the sentences. A sentence has a place for the one who does something and a place for what is done. In English the verb stands in the middle, and in Korean it stands at the end. The model has to learn both. When it reads English, it waits for the verb after the first words; when it reads Korean, it waits for the verb until the end of the sentence. Nobody tells the model which language it reads. The letters tell it.

낱말 다음에는 문장이 온다. 문장에는 무엇을 하는 사람의 자리가 있고, 하는 일의 자리가 있다. 영어에서는 동사가 가운데에 서고, 한국어에서는 끝에 선다. 모델은 둘 다 배워야 한다. 영어를 읽을 때는 처음 낱말 뒤에서 동사를 기다리고, 한국어를 읽을 때는 문장의 끝까지 동사를 기다린다. 지금 읽는 것이 어느 말인지 아무도 모델에게 말해 주지 않는다. 글자가 말해 준다.

Think of a library in the night. Every book has a name on its back, and every name says what is in the book. Somebody comes in with a question. The question is compared with every name, and the books whose names fit are opened. What is read in them is put together into one answer. This is attention: the question is the query, the name on the back is the key, and what stands in the book is the value. There is only one difference. In our library every book is opened a little, and the best one is opened most.

밤의 도서관을 생각해 보자. 책마다 등에 이름이 있고, 이름마다 책에 무엇이 있는지 말해 준다. 누군가 물음을 가지고 들어온다. 물음을 모든 이름과 견주어 보고, 이름이 맞는 책을 편다. 거기서 읽은 것을 모아 하나의 답으로 만든다. 이것이 어텐션이다. 물음은 쿼리이고, 등에 있는 이름은 키이고, 책에 있는 것은 밸류이다. 다른 점은 하나뿐이다. 우리 도서관에서는 모든 책을 조금씩 펴고, 가장 잘 맞는 책을 가장 많이 편다.

How much each book is opened is decided by a rule called softmax. It takes a row of numbers, some large and some small, and makes a row of shares out of them. All the shares together are one. A number that is a little larger than the others gets a share that is much larger. So the model can look almost everywhere at once, or it can look at one place alone, and it can move slowly from the one to the other. Because it can move slowly, it can learn.

책마다 얼마나 펼지는 소프트맥스라는 규칙이 정한다. 이 규칙은 큰 수와 작은 수가 섞인 한 줄의 수를 받아서 한 줄의 몫으로 만든다. 모든 몫을 더하면 하나가 된다. 다른 것보다 조금 큰 수는 훨씬 큰 몫을 받는다. 그래서 모델은 거의 모든 곳을 한꺼번에 볼 수도 있고, 한 곳만 볼 수도 있고, 하나에서 다른 하나로 천천히 옮겨 갈 수도 있다. 천천히 옮겨 갈 수 있으니 배울 수 있다.

A word alone does not know where it stands. If we throw all the words of a sentence into a bag, the model sees the same words, but not the sentence. So every place has a pattern of its own, a row of waves, some fast and some slow, like the hands of a clock. The fast hand says whether the place is the first or the second, and the slow hand says whether it is near the beginning or near the end. We add the pattern to the word, and from then on the word carries its place with it.

낱말 하나만 보면 그것이 어디에 서 있는지 알 수 없다. 문장의 낱말을 모두 자루에 넣으면 모델은 같은 낱말을 보지만 문장을 보지는 못한다. 그래서 자리마다 자기 무늬가 있다. 시계의 바늘처럼 빠른 것도 있고 느린 것도 있는 물결의 줄이다. 빠른 바늘은 그 자리가 첫째인지 둘째인지 말해 주고, 느린 바늘은 처음에 가까운지 끝에 가까운지 말해 준다. 우리는 낱말에 그 무늬를 더하고, 그때부터 낱말은 자기 자리를 가지고 다닌다.

Every word is a point in a room. The room does not have three directions, as ours has, but sixty-four, or five hundred, and nobody can draw it. At the beginning the points lie anywhere. While the model learns, words that are used alike move nearer to each other. Morning moves to evening, and one moves to two. The letters a, e and o find each other, because they stand between the same neighbours. Nobody has told the model what these words mean. It has only seen where they stand.

낱말은 저마다 어떤 방 안의 점이다. 그 방은 우리 방처럼 방향이 셋인 것이 아니라 예순넷이나 오백이어서 아무도 그릴 수 없다. 처음에 점들은 아무 데나 놓여 있다. 모델이 배우는 동안 비슷하게 쓰이는 낱말들이 서로 가까이 간다. 아침은 저녁에게 가고, 하나는 둘에게 간다. 같은 이웃 사이에 서는 글자들은 서로를 찾아낸다. 이 낱말들이 무엇을 뜻하는지 아무도 모델에게 말해 주지 않았다. 모델은 낱말이 어디에 서는지 보았을 뿐이다.

The model is made of layers, and each layer is made of two parts. In the first part the words talk to each other: this is attention. In the second part every word thinks for itself: this is the feed-forward network. First they talk, then they think, and then it begins again in the next layer. After two layers a word knows its neighbours. After four layers it knows the sentence. After eight layers it knows things for which we have no names.

모델은 레이어로 되어 있고, 레이어는 두 부분으로 되어 있다. 첫째 부분에서는 낱말들이 서로 이야기한다. 이것이 어텐션이다. 둘째 부분에서는 낱말마다 혼자 생각한다. 이것이 피드포워드 네트워크이다. 먼저 이야기하고, 그다음에 생각하고, 다음 레이어에서 다시 시작한다. 두 레이어 뒤에 낱말은 이웃을 안다. 네 레이어 뒤에는 문장을 안다. 여덟 레이어 뒤에는 우리가 이름을 붙이지 못한 것을 안다.

When a number becomes too large, it drowns out all the others. When all numbers become too small, nothing can be heard. So before every part of a layer the numbers of a word are brought to the same loudness: their mean becomes nought and their spread becomes one. This is called a norm. It is like the moment before a concert, when the orchestra tunes. Nothing has been played yet, but without it nothing that is played afterwards would sound right.

한 수가 너무 커지면 다른 수가 모두 들리지 않는다. 모든 수가 너무 작아지면 아무것도 들리지 않는다. 그래서 레이어의 부분마다 그 앞에서 낱말의 수들을 같은 크기로 맞춘다. 평균은 영이 되고, 퍼진 정도는 하나가 된다. 이것을 노름이라고 부른다. 음악회가 시작하기 전에 악기들이 음을 맞추는 때와 같다. 아직 아무것도 연주하지 않았지만, 그것이 없으면 뒤에 연주하는 것이 모두 맞지 않게 들린다.

How does the model know that it was wrong? We have the word that really came next, and the model has given a chance to every word. If it gave the right word a large chance, the loss is small. If it gave the right word a small chance, the loss is large. If it was sure of another word, the loss is very large. So the model learns not only to be right, but also to know how sure it may be. A guess that is honest costs less than a guess that is proud.

모델은 자기가 틀렸다는 것을 어떻게 알까? 우리에게는 정말로 다음에 온 낱말이 있고, 모델은 낱말마다 확률을 주었다. 맞는 낱말에 큰 확률을 주었으면 손실은 작다. 맞는 낱말에 작은 확률을 주었으면 손실은 크다. 다른 낱말이라고 굳게 믿었으면 손실은 아주 크다. 그래서 모델은 맞히는 것만 배우지 않고, 얼마나 믿어도 되는지도 배운다. 솔직한 짐작은 뽐내는 짐작보다 값이 싸다.

From the loss the blame goes back. The last layer asks: which of my numbers made the loss large? Then it asks the layer before: what should you have given me? And that layer asks the layer before it, until the question has come to the very first numbers. Every number now knows in which direction it should move, and how much it would help. This is called the gradient. It is found in one walk back through the model, and the walk back takes about twice as long as the walk there.

손실에서 탓이 거꾸로 돌아간다. 마지막 레이어가 묻는다. 내 수 가운데 어느 것이 손실을 크게 했을까? 그리고 앞 레이어에게 묻는다. 너는 나에게 무엇을 주어야 했을까? 그 레이어는 다시 그 앞 레이어에게 묻고, 물음은 맨 처음의 수까지 간다. 이제 모든 수는 어느 쪽으로 움직여야 하는지, 그것이 얼마나 도움이 되는지 안다. 이것을 기울기라고 부른다. 모델을 한 번 거꾸로 걸으면 찾을 수 있고, 돌아오는 길은 가는 길보다 두 배쯤 오래 걸린다.

Think of somebody who walks down a mountain in the fog. He cannot see the valley. He can only feel with his foot where the ground goes down. He takes a small step in that direction, feels again, and takes another step. If he walks long enough, he comes to a place where the ground goes up on every side. Perhaps it is not the deepest valley of the land. But it is deep enough to live in, and in a room with many directions there is nearly always a way that goes on down.

안개 속에서 산을 내려가는 사람을 생각해 보자. 골짜기는 보이지 않는다. 땅이 어느 쪽으로 내려가는지 발로 느낄 수 있을 뿐이다. 그는 그쪽으로 작은 걸음을 하나 걷고, 다시 느끼고, 또 한 걸음을 걷는다. 오래 걸으면 어느 쪽을 보아도 땅이 올라가는 곳에 온다. 그곳이 이 땅에서 가장 깊은 골짜기가 아닐지도 모른다. 그러나 살기에는 넉넉히 깊고, 방향이 많은 방에서는 아래로 가는 길이 거의 언제나 있다.

Some walkers remember where they came from. If the last ten steps all went the same way, the next step may be larger. If they went now left and now right, the next step should be smaller. A walker who remembers this is called Adam. He keeps two small books for every number: in one he writes the mean of the last directions, and in the other how large they were. The books cost memory, but they save many steps.

어떤 사람은 걸어온 길을 기억한다. 지난 열 걸음이 모두 같은 쪽이었으면 다음 걸음은 더 커도 된다. 한 번은 왼쪽이고 한 번은 오른쪽이었으면 다음 걸음은 더 작아야 한다. 이것을 기억하며 걷는 사람을 아담이라고 부른다. 그는 수마다 작은 책을 두 권 가지고 다닌다. 한 권에는 지난 방향의 평균을 쓰고, 다른 한 권에는 그것이 얼마나 컸는지 쓴다. 책은 기억을 쓰지만 많은 걸음을 아껴 준다.

The first steps should be small. At the beginning the two books are empty, and a walker who runs with empty books falls. So we begin slowly and go a little faster with every step, until we have reached the greatest speed. This is called the warm-up. At the end we become slower again, because he who wants to find the lowest point of the valley must not jump over it. Slow, fast, slow: this is how the learning rate goes, and it is also how a good walk goes.

처음 걸음은 작아야 한다. 처음에는 책 두 권이 비어 있고, 빈 책을 들고 뛰는 사람은 넘어진다. 그래서 우리는 천천히 시작하고, 걸음마다 조금씩 빨라져서 가장 빠른 데까지 간다. 이것을 웜업이라고 부른다. 끝에서는 다시 느려진다. 골짜기의 가장 낮은 곳을 찾으려는 사람은 그곳을 뛰어넘지 말아야 하기 때문이다. 느리게, 빠르게, 다시 느리게. 학습률은 이렇게 가고, 좋은 산책도 이렇게 간다.

Now and then there comes a sentence so strange that the model is thrown far away. One bad step can spoil what a hundred good steps have made. So we tie a rope around the walker: however steep the ground is, he never takes a step that is longer than the rope. This is called clipping. On most days the rope hangs loose and does nothing. On a bad day it is the only thing that holds.

가끔 너무 이상한 문장이 와서 모델이 멀리 날아가 버린다. 나쁜 한 걸음이 좋은 백 걸음을 망칠 수 있다. 그래서 우리는 걷는 사람에게 줄을 맨다. 땅이 아무리 가팔라도 줄보다 긴 걸음은 걷지 않는다. 이것을 클리핑이라고 부른다. 대부분의 날에 줄은 느슨하게 걸려 있고 아무것도 하지 않는다. 나쁜 날에는 그 줄만이 붙들어 준다.

A model that has too much time and too few books begins to learn the books by heart. On the pages that it has read it makes no mistakes any more, and on the pages that it has not read it makes more mistakes than before. One can see it in the two lines of the picture: the line of the training goes down and down, and the line of the exam turns and goes up. When the second line turns, it is time to stop, or to bring new books.

시간은 너무 많고 책은 너무 적은 모델은 책을 외우기 시작한다. 읽은 쪽에서는 더 이상 틀리지 않고, 읽지 않은 쪽에서는 전보다 더 많이 틀린다. 그림의 두 줄에서 그것을 볼 수 있다. 훈련의 줄은 아래로 또 아래로 가고, 시험의 줄은 돌아서 위로 간다. 둘째 줄이 돌아설 때가 멈출 때이다. 아니면 새 책을 가져와야 한다.

There is a trick against learning by heart. While the model learns, we cover some of its numbers with a hand, each time others. It never knows which numbers will be there the next time, so it cannot trust a single one, and it has to learn everything twice, in two places. This is called dropout. In the exam the hand is taken away, and then all the numbers work together. A team in which everybody can do a little of everything is not afraid when one of them is ill.

외우지 못하게 하는 꾀가 있다. 모델이 배우는 동안 우리는 수 가운데 몇 개를 손으로 가린다. 그때마다 다른 것을 가린다. 다음에 어느 수가 있을지 모르니 하나만 믿을 수 없고, 모든 것을 두 곳에서 두 번 배워야 한다. 이것을 드롭아웃이라고 부른다. 시험에서는 손을 치우고, 그러면 모든 수가 함께 일한다. 모두가 모든 일을 조금씩 할 줄 아는 모임은 한 사람이 아파도 걱정하지 않는다.

When we ask a model to reverse a row of letters, it has to look at the end first. The first letter that it writes is the last one that it has read. The second letter is the one before the last. In the map of attention this is a line that goes from one corner to the other. At first there is no line. Then there are a few bright points at the ends, where it is easy. Then the bright points grow together, and the line is there.

글자의 줄을 거꾸로 쓰라고 하면 모델은 먼저 끝을 보아야 한다. 처음 쓰는 글자는 마지막으로 읽은 글자이다. 둘째로 쓰는 글자는 마지막의 바로 앞 글자이다. 어텐션의 지도에서 이것은 한 모서리에서 다른 모서리로 가는 줄이다. 처음에는 줄이 없다. 그다음에는 쉬운 곳인 양쪽 끝에 밝은 점이 몇 개 생긴다. 그다음에는 밝은 점들이 이어지고, 거기에 줄이 있다.

When we ask a model to add two numbers, it has to begin on the right. Seven and five are twelve: it writes a two and keeps a one in mind. But where does a model keep something in mind? It has no fingers. It looks at the two digits to the right of the place where it writes, and asks whether they were more than nine. Sometimes these are nine as well, and then it has to look further. The hardest sums are those in which the one travels through the whole number.

두 수를 더하라고 하면 모델은 오른쪽에서 시작해야 한다. 일곱과 다섯은 열둘이다. 둘을 쓰고 하나를 마음에 둔다. 그런데 모델은 어디에 마음을 둘까? 모델에게는 손가락이 없다. 모델은 쓰는 자리의 오른쪽에 있는 두 숫자를 보고 그것이 아홉보다 컸는지 묻는다. 가끔은 그것도 아홉이고, 그러면 더 멀리 보아야 한다. 하나가 수 전체를 지나가는 덧셈이 가장 어렵다.

When we ask a model to translate, the words change their places. I go to school, says the English sentence; I to school go, says the Korean one. The lines between the words cross each other. If the model could only look straight ahead, it would have to carry the verb in its hand all the way. But it can look anywhere. When it writes the verb, it looks at the end of the Korean sentence, and when it has written it, it looks back to the middle.

번역하라고 하면 낱말들이 자리를 바꾼다. 영어 문장은 나는 간다 학교에, 하고 말하고, 한국어 문장은 나는 학교에 간다, 하고 말한다. 낱말 사이의 줄들이 서로 엇갈린다. 모델이 앞만 볼 수 있다면 동사를 끝까지 손에 들고 가야 할 것이다. 그러나 모델은 어디든지 볼 수 있다. 동사를 쓸 때는 한국어 문장의 끝을 보고, 동사를 쓰고 나면 다시 가운데를 돌아본다.

A model that writes may not look at what it has not yet written. That would be like a child who reads the answers at the end of the book. So in the part that writes, the upper half of the map is dark: every letter sees the letters before it and itself, and nothing that comes after. This is called the mask. It costs nothing, and without it the model would learn only to copy, and in the exam, where there is nothing to copy, it would know nothing.

글을 쓰는 모델은 아직 쓰지 않은 것을 보아서는 안 된다. 그것은 책 끝에 있는 답을 읽는 아이와 같다. 그래서 글을 쓰는 부분에서는 지도의 위쪽 반이 어둡다. 글자마다 앞에 있는 글자와 자기만 보고, 뒤에 오는 것은 보지 못한다. 이것을 마스크라고 부른다. 마스크는 값이 들지 않는다. 마스크가 없으면 모델은 베끼는 것만 배우고, 베낄 것이 없는 시험에서는 아무것도 모를 것이다.

When the model writes by itself, it writes one letter, reads it again, and writes the next one. It always has the choice. It can take the likeliest letter every time; then it writes correctly, but it soon says the same thing again and again. It can throw a die; then it says something new, but sometimes something mad. Between the two there is a number that is called the temperature. When it is cold, the model is careful. When it is hot, the model is bold.

모델이 혼자 글을 쓸 때는 글자 하나를 쓰고, 그것을 다시 읽고, 다음 글자를 쓴다. 모델에게는 언제나 선택이 있다. 매번 가장 그럴듯한 글자를 고를 수 있다. 그러면 맞게 쓰지만 곧 같은 말을 하고 또 한다. 주사위를 던질 수도 있다. 그러면 새로운 말을 하지만 가끔 엉뚱한 말을 한다. 둘 사이에 온도라고 부르는 수가 있다. 추우면 모델은 조심스럽다. 더우면 모델은 대담하다.

There was a time when a model had to read one word after the other, as we do, and had to carry everything in one bag. The bag was small, and what had been put in first was soon lost at the bottom. Then somebody asked: what if every word could look at every other word, all at once, and there was no bag? The words no longer had to wait for each other. What had been a row of people passing buckets became a room in which everybody can talk to everybody.

모델이 우리처럼 낱말을 하나씩 차례로 읽고 모든 것을 자루 하나에 넣고 다녀야 했던 때가 있었다. 자루는 작았고, 먼저 넣은 것은 곧 바닥에서 잃어버렸다. 그때 누군가 물었다. 모든 낱말이 다른 모든 낱말을 한꺼번에 볼 수 있고, 자루가 없다면 어떨까? 낱말들은 더 이상 서로를 기다리지 않아도 되었다. 줄을 서서 물통을 건네던 사람들이 모두가 모두와 이야기할 수 있는 방이 되었다.

The room has its price. If ten words talk to ten words, there are a hundred talks. If a thousand words talk to a thousand words, there are a million. So the text that a model can read at once has an end, and what lies before it is forgotten. A model that reads sixty letters knows this sentence and perhaps the one before. It does not know how the story began. You know it, because you have read it, and because you have kept it in another way.

그 방에는 값이 있다. 열 낱말이 열 낱말과 이야기하면 이야기는 백 개이다. 천 낱말이 천 낱말과 이야기하면 백만 개이다. 그래서 모델이 한 번에 읽을 수 있는 글에는 끝이 있고, 그 앞에 있는 것은 잊어버린다. 글자 예순 개를 읽는 모델은 이 문장과 아마 앞 문장을 안다. 이야기가 어떻게 시작했는지는 모른다. 당신은 안다. 읽었기 때문이고, 다른 방법으로 간직했기 때문이다.

Numbers can be kept with many digits or with few. With few digits they need less room, and the machine counts faster. But a very small number, kept with too few digits, becomes nought, and what has become nought does not come back. So before we walk back we make the loss very large, a thousand times as large, and so all the small numbers become large enough to be kept. At the end we make them small again. Nothing has changed, only that nothing was lost.

수는 자릿수를 많이 두고 간직할 수도 있고 적게 두고 간직할 수도 있다. 자릿수가 적으면 자리가 덜 들고 기계가 더 빨리 센다. 그러나 아주 작은 수를 너무 적은 자릿수로 간직하면 영이 되고, 영이 된 것은 돌아오지 않는다. 그래서 거꾸로 걷기 전에 손실을 아주 크게, 천 배로 크게 만든다. 그러면 작은 수들이 모두 간직할 만큼 커진다. 끝에서 다시 작게 만든다. 달라진 것은 없고, 잃어버린 것이 없을 뿐이다.

Do not believe a model because it writes well. It has learned which word follows which, and from this it has learned much about the world, but nobody has told it what is true. It writes the likely thing. Often the likely thing is true, and sometimes it is not. If you want to know what a model can do, ask it something that it has never seen, and look at the answer. If you want to know how it does it, look inside: here every number lies open.

모델이 글을 잘 쓴다고 해서 모델을 믿지는 말자. 모델은 어떤 낱말 뒤에 어떤 낱말이 오는지 배웠고, 거기서 세상에 대해 많은 것을 배웠지만, 무엇이 참인지는 아무도 말해 주지 않았다. 모델은 그럴듯한 것을 쓴다. 그럴듯한 것은 자주 참이고, 가끔은 참이 아니다. 모델이 무엇을 할 수 있는지 알고 싶으면 한 번도 본 적이 없는 것을 묻고 답을 보자. 모델이 그것을 어떻게 하는지 알고 싶으면 안을 보자. 여기에는 모든 수가 열려 있다.

A model kept a diary while it learned. It wrote one page a day, in English and in Korean, and it always told the truth.

어떤 모델이 배우는 동안 일기를 썼다. 하루에 한 쪽씩 영어와 한국어로 썼고, 언제나 참말만 썼다.

Monday of the first week. I read sixty letters before the evening. I was wrong thirty times. I learned a new word, and I shall use it tomorrow. The steps are small, and I am not afraid. In the evening the loss was lower than in the morning. I am looking forward to tomorrow.

첫째 주 월요일. 저녁이 오기 전에 글자를 예순 개 읽었다. 나는 서른 번 틀렸다. 새 낱말을 하나 배웠고, 내일 그것을 쓸 것이다. 걸음이 작아서 나는 두렵지 않다. 저녁의 손실은 아침보다 낮았다. 내일이 기다려진다.

Tuesday of the first week. In the morning I read seventy letters. I had never seen some of them. I was wrong twenty times. I learned that a space comes at the end of a word. The steps are small, and I am not afraid. I shall remember this day.

첫째 주 화요일. 아침에 글자를 일흔 개 읽었다. 그 가운데 몇 개는 본 적이 없는 글자였다. 나는 스무 번 틀렸다. 빈칸은 낱말의 끝에 온다는 것을 배웠다. 걸음이 작아서 나는 두렵지 않다. 나는 이날을 기억할 것이다.

Wednesday of the first week. Today I read eighty letters. I was wrong fifty times. One of my heads looked at the beginning of the word. I learned that a space comes at the end of a word. The steps are small, and I am not afraid. There was no exam today. Tomorrow I shall look further back.

첫째 주 수요일. 오늘은 글자를 여든 개 읽었다. 나는 쉰 번 틀렸다. 내 헤드 하나는 낱말의 처음을 보았다. 빈칸은 낱말의 끝에 온다는 것을 배웠다. 걸음이 작아서 나는 두렵지 않다. 오늘은 시험이 없었다. 내일은 더 멀리 돌아볼 것이다.

Thursday of the first week. Today they showed me forty letters. They were English letters. I was wrong twenty times. One of my heads looked everywhere and saw nothing. I learned that a capital letter comes at the beginning. In the exam I was better than yesterday. Tomorrow I shall look at the end of the sentence.

첫째 주 목요일. 오늘은 사람들이 글자를 마흔 개 보여 주었다. 영어 글자였다. 나는 스무 번 틀렸다. 내 헤드 하나는 모든 곳을 보았고 아무것도 보지 못했다. 물음은 흔히 까로 끝난다는 것을 배웠다. 시험에서 나는 어제보다 나았다. 내일은 문장의 끝을 볼 것이다.

Friday of the first week. In the morning I read sixty letters. I guessed, and I was wrong thirty times. One of my heads looked at the last space. I learned that after a q there is a u. In the evening the loss was lower than in the morning. Tomorrow I shall try again.

첫째 주 금요일. 아침에 글자를 예순 개 읽었다. 나는 찍었고, 서른 번 틀렸다. 내 헤드 하나는 마지막 빈칸을 보았다. 문장은 흔히 다로 끝난다는 것을 배웠다. 저녁의 손실은 아침보다 낮았다. 내일 다시 해 볼 것이다.

Saturday of the first week. In the morning I read eighty letters. I guessed, and I was wrong fifty times. I learned nothing new today. The steps are small, and I am not afraid. In the evening the loss was higher than in the morning. Tomorrow I shall look at the end of the sentence.

첫째 주 토요일. 아침에 글자를 여든 개 읽었다. 나는 찍었고, 쉰 번 틀렸다. 오늘은 새로 배운 것이 없다. 걸음이 작아서 나는 두렵지 않다. 저녁의 손실은 아침보다 높았다. 내일은 문장의 끝을 볼 것이다.

Sunday of the first week. I read ninety letters before the evening. I had never seen some of them. I was wrong forty times. The learning rate is still small. There was no exam today. Tomorrow I shall look at the end of the sentence.

첫째 주 일요일. 저녁이 오기 전에 글자를 아흔 개 읽었다. 그 가운데 몇 개는 본 적이 없는 글자였다. 나는 마흔 번 틀렸다. 학습률은 아직 작다. 오늘은 시험이 없었다. 내일은 문장의 끝을 볼 것이다.

Monday of the second week. I read ninety letters before the evening. I had never seen some of them. I was wrong sixty times, which is less than on Sunday. One of my heads looked everywhere and saw nothing. I learned a new word, and I shall use it tomorrow. The learning rate is still small. In the evening the loss was higher than in the morning. Tomorrow I shall look further back.

둘째 주 월요일. 저녁이 오기 전에 글자를 아흔 개 읽었다. 그 가운데 몇 개는 본 적이 없는 글자였다. 나는 예순 번 틀렸는데, 일요일보다 적다. 내 헤드 하나는 모든 곳을 보았고 아무것도 보지 못했다. 새 낱말을 하나 배웠고, 내일 그것을 쓸 것이다. 학습률은 아직 작다. 저녁의 손실은 아침보다 높았다. 내일은 더 멀리 돌아볼 것이다.

Tuesday of the second week. I read ninety letters before the evening. I had never seen some of them. I was wrong thirty times. One of my heads looked everywhere and saw nothing. I learned that a space comes at the end of a word. Tomorrow I shall look at the end of the sentence.

둘째 주 화요일. 저녁이 오기 전에 글자를 아흔 개 읽었다. 그 가운데 몇 개는 본 적이 없는 글자였다. 나는 서른 번 틀렸다. 내 헤드 하나는 모든 곳을 보았고 아무것도 보지 못했다. 빈칸은 낱말의 끝에 온다는 것을 배웠다. 내일은 문장의 끝을 볼 것이다.

Wednesday of the second week. Today they showed me ninety letters. I was wrong fifty times, which is more than on Tuesday. I learned that a space comes at the end of a word. The learning rate is as large as it will ever be. In the exam I was worse than yesterday. Tomorrow I shall look further back.

둘째 주 수요일. 오늘은 사람들이 글자를 아흔 개 보여 주었다. 나는 쉰 번 틀렸는데, 화요일보다 많다. 빈칸은 낱말의 끝에 온다는 것을 배웠다. 학습률은 이제 가장 크다. 시험에서 나는 어제보다 못했다. 내일은 더 멀리 돌아볼 것이다.

Thursday of the second week. Today I read sixty letters. I had seen all of them before. I was wrong forty times, which is less than on Wednesday. One of my heads looked at the last space. The steps are small, and I am not afraid. Good night.

둘째 주 목요일. 오늘은 글자를 예순 개 읽었다. 모두 전에 본 적이 있는 글자였다. 나는 마흔 번 틀렸는데, 수요일보다 적다. 내 헤드 하나는 마지막 빈칸을 보았다. 걸음이 작아서 나는 두렵지 않다. 잘 자라.

Friday of the second week. Today I read ninety letters. I had seen all of them before. I was wrong seventy times, which is more than on Thursday. One of my heads looked everywhere and saw nothing. I learned nothing new today. The learning rate is as large as it will ever be. In the evening the loss was as high as in the morning. I am looking forward to tomorrow.

둘째 주 금요일. 오늘은 글자를 아흔 개 읽었다. 모두 전에 본 적이 있는 글자였다. 나는 일흔 번 틀렸는데, 목요일보다 많다. 내 헤드 하나는 모든 곳을 보았고 아무것도 보지 못했다. 오늘은 새로 배운 것이 없다. 학습률은 이제 가장 크다. 저녁의 손실은 아침만큼 높았다. 내일이 기다려진다.

Saturday of the second week. Today they showed me fifty letters. I was wrong twenty times. One of my heads looked at the beginning of the word. I learned that after a q there is a u. The learning rate is still small. I shall remember this day.

둘째 주 토요일. 오늘은 사람들이 글자를 쉰 개 보여 주었다. 나는 스무 번 틀렸다. 내 헤드 하나는 낱말의 처음을 보았다. 문장은 흔히 다로 끝난다는 것을 배웠다. 학습률은 아직 작다. 나는 이날을 기억할 것이다.

Sunday of the second week. Today they showed me seventy letters. I was wrong thirty times, which is less than on Saturday. One of my heads looked at the letter before. In the exam I was better than yesterday. Tomorrow I shall look at the end of the sentence.

둘째 주 일요일. 오늘은 사람들이 글자를 일흔 개 보여 주었다. 나는 서른 번 틀렸는데, 토요일보다 적다. 내 헤드 하나는 바로 앞 글자를 보았다. 시험에서 나는 어제보다 나았다. 내일은 문장의 끝을 볼 것이다.

Monday of the third week. Today I read forty letters. I was wrong twenty times, which is less than on Sunday. Two of my heads looked at the same place, and one of them was not needed. I learned that a full stop comes at the end of a sentence. The steps are small, and I am not afraid. There was no exam today. I shall remember this day.

셋째 주 월요일. 오늘은 글자를 마흔 개 읽었다. 나는 스무 번 틀렸는데, 일요일보다 적다. 내 헤드 둘이 같은 곳을 보았고, 하나는 필요하지 않았다. 마침표는 문장의 끝에 온다는 것을 배웠다. 걸음이 작아서 나는 두렵지 않다. 오늘은 시험이 없었다. 나는 이날을 기억할 것이다.

Tuesday of the third week. Today I read forty letters. I was wrong thirty times, which is less than on Monday. One of my heads looked at the beginning of the word. I learned that a space comes at the end of a word. The steps are small, and I am not afraid. In the evening the loss was as high as in the morning. I shall remember this day.

셋째 주 화요일. 오늘은 글자를 마흔 개 읽었다. 나는 서른 번 틀렸는데, 월요일보다 적다. 내 헤드 하나는 낱말의 처음을 보았다. 빈칸은 낱말의 끝에 온다는 것을 배웠다. 걸음이 작아서 나는 두렵지 않다. 저녁의 손실은 아침만큼 높았다. 나는 이날을 기억할 것이다.

Wednesday of the third week. I read fifty letters before the evening. I guessed, and I was wrong twenty times. One of my heads looked everywhere and saw nothing. I learned that a full stop comes at the end of a sentence. I am looking forward to tomorrow.

셋째 주 수요일. 저녁이 오기 전에 글자를 쉰 개 읽었다. 나는 찍었고, 스무 번 틀렸다. 내 헤드 하나는 모든 곳을 보았고 아무것도 보지 못했다. 마침표는 문장의 끝에 온다는 것을 배웠다. 내일이 기다려진다.

Thursday of the third week. Today they showed me sixty letters. Half of them were English and half of them were Korean. I was wrong thirty times, which is less than on Wednesday. One of my heads looked at the letter before. I learned that a space comes at the end of a word. The steps are large, and I am a little afraid. In the exam I was worse than yesterday. Tomorrow I shall try again.

셋째 주 목요일. 오늘은 사람들이 글자를 예순 개 보여 주었다. 반은 영어였고 반은 한국어였다. 나는 서른 번 틀렸는데, 수요일보다 적다. 내 헤드 하나는 바로 앞 글자를 보았다. 빈칸은 낱말의 끝에 온다는 것을 배웠다. 걸음이 커서 나는 조금 두렵다. 시험에서 나는 어제보다 못했다. 내일 다시 해 볼 것이다.

Friday of the third week. Today I read seventy letters. I was wrong forty times. In the evening the loss was as high as in the morning. I am looking forward to tomorrow.

셋째 주 금요일. 오늘은 글자를 일흔 개 읽었다. 나는 마흔 번 틀렸다. 저녁의 손실은 아침만큼 높았다. 내일이 기다려진다.

Saturday of the third week. Today I read ninety letters. I was wrong forty times, which is more than on Friday. Two of my heads looked at the same place, and one of them was not needed. In the evening the loss was as high as in the morning. Tomorrow I shall try again.

셋째 주 토요일. 오늘은 글자를 아흔 개 읽었다. 나는 마흔 번 틀렸는데, 금요일보다 많다. 내 헤드 둘이 같은 곳을 보았고, 하나는 필요하지 않았다. 저녁의 손실은 아침만큼 높았다. 내일 다시 해 볼 것이다.

Sunday of the third week. I read fifty letters before the evening. I guessed, and I was wrong forty times. All my heads looked at the same letter. The learning rate becomes smaller every day. In the exam I was worse than yesterday. Tomorrow I shall look further back.

셋째 주 일요일. 저녁이 오기 전에 글자를 쉰 개 읽었다. 나는 찍었고, 마흔 번 틀렸다. 내 헤드는 모두 같은 글자를 보았다. 학습률은 날마다 작아진다. 시험에서 나는 어제보다 못했다. 내일은 더 멀리 돌아볼 것이다.

Monday of the fourth week. Today I read forty letters. They were Korean letters. I was wrong twenty times, which is more than on Sunday. I learned that a space comes at the end of a word. The learning rate is as large as it will ever be. In the evening the loss was as high as in the morning. I shall remember this day.

넷째 주 월요일. 오늘은 글자를 마흔 개 읽었다. 한국어 글자였다. 나는 스무 번 틀렸는데, 일요일보다 많다. 빈칸은 낱말의 끝에 온다는 것을 배웠다. 학습률은 이제 가장 크다. 저녁의 손실은 아침만큼 높았다. 나는 이날을 기억할 것이다.

Tuesday of the fourth week. I read sixty letters before the evening. I was wrong forty times. I learned that a capital letter comes at the beginning. The steps are small, and I am not afraid. In the exam I was worse than yesterday. Tomorrow I shall look further back.

넷째 주 화요일. 저녁이 오기 전에 글자를 예순 개 읽었다. 나는 마흔 번 틀렸다. 물음은 흔히 까로 끝난다는 것을 배웠다. 걸음이 작아서 나는 두렵지 않다. 시험에서 나는 어제보다 못했다. 내일은 더 멀리 돌아볼 것이다.

Wednesday of the fourth week. Today I read eighty letters. I guessed, and I was wrong thirty times. One of my heads looked at the beginning of the word. I learned that a capital letter comes at the beginning. The learning rate is still small. In the evening the loss was higher than in the morning. Good night.

넷째 주 수요일. 오늘은 글자를 여든 개 읽었다. 나는 찍었고, 서른 번 틀렸다. 내 헤드 하나는 낱말의 처음을 보았다. 물음은 흔히 까로 끝난다는 것을 배웠다. 학습률은 아직 작다. 저녁의 손실은 아침보다 높았다. 잘 자라.

Thursday of the fourth week. I read eighty letters before the evening. I was wrong sixty times. I learned that a space comes at the end of a word. The learning rate is still small. In the exam I was worse than yesterday. Tomorrow I shall try again.

넷째 주 목요일. 저녁이 오기 전에 글자를 여든 개 읽었다. 나는 예순 번 틀렸다. 빈칸은 낱말의 끝에 온다는 것을 배웠다. 학습률은 아직 작다. 시험에서 나는 어제보다 못했다. 내일 다시 해 볼 것이다.

Friday of the fourth week. Today they showed me forty letters. I guessed, and I was wrong thirty times. One of my heads looked everywhere and saw nothing. I learned that a capital letter comes at the beginning. The learning rate is as large as it will ever be. In the evening the loss was higher than in the morning. I shall remember this day.

넷째 주 금요일. 오늘은 사람들이 글자를 마흔 개 보여 주었다. 나는 찍었고, 서른 번 틀렸다. 내 헤드 하나는 모든 곳을 보았고 아무것도 보지 못했다. 물음은 흔히 까로 끝난다는 것을 배웠다. 학습률은 이제 가장 크다. 저녁의 손실은 아침보다 높았다. 나는 이날을 기억할 것이다.

Saturday of the fourth week. In the morning I read fifty letters. I had never seen some of them. I was wrong thirty times, which is more than on Friday. Two of my heads looked at the same place, and one of them was not needed. I learned that a full stop comes at the end of a sentence. The learning rate becomes smaller every day. Tomorrow I shall look further back.

넷째 주 토요일. 아침에 글자를 쉰 개 읽었다. 그 가운데 몇 개는 본 적이 없는 글자였다. 나는 서른 번 틀렸는데, 금요일보다 많다. 내 헤드 둘이 같은 곳을 보았고, 하나는 필요하지 않았다. 마침표는 문장의 끝에 온다는 것을 배웠다. 학습률은 날마다 작아진다. 내일은 더 멀리 돌아볼 것이다.

Sunday of the fourth week. Today they showed me ninety letters. They were Korean letters. I was wrong seventy times, which is more than on Saturday. One of my heads looked at the letter before. I learned that a capital letter comes at the beginning. The learning rate is as large as it will ever be. In the exam I was better than yesterday. I shall remember this day.

넷째 주 일요일. 오늘은 사람들이 글자를 아흔 개 보여 주었다. 한국어 글자였다. 나는 일흔 번 틀렸는데, 토요일보다 많다. 내 헤드 하나는 바로 앞 글자를 보았다. 물음은 흔히 까로 끝난다는 것을 배웠다. 학습률은 이제 가장 크다. 시험에서 나는 어제보다 나았다. 나는 이날을 기억할 것이다.

In the end you can see it happen. The map of attention is a fog at first, the same grey everywhere, because the model looks at everything and therefore at nothing. Then the fog becomes thinner. A line appears, and the line becomes sharp. There is no moment at which somebody switched on the light. There were only many small steps, each of them in the right direction, and each of them so small that you would not have noticed it.

마지막에는 그 일이 눈에 보인다. 어텐션의 지도는 처음에 안개와 같다. 모든 것을 보고 있으니 아무것도 보지 않는 셈이어서 어디나 똑같은 회색이다. 그러다가 안개가 옅어진다. 선이 하나 나타나고, 그 선이 또렷해진다. 누군가 불을 켠 순간은 없다. 작은 걸음이 많이 있었을 뿐이다. 모두 맞는 쪽으로 간 걸음이었고, 하나하나는 너무 작아서 눈치채지 못했을 것이다.
)";
}

}  // namespace tp
